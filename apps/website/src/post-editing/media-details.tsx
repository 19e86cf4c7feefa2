import type { BodyOf, Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Field } from '../components/field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { fieldLines, fieldTexts } from '../visits/form-fields';
import type { Visit } from '../visits/visit';

/** What an owner edits of a media item; empty strings for texts that are missing. */
export interface MediaValues {
  readonly title: string;
  readonly description: string;
  readonly alt_text: string;
  readonly unlisted: boolean;
  readonly isNsfw: boolean;
  /** The value of `isNsfw` when the form was rendered. */
  readonly wasNsfw: boolean;
}

export const mediaValuesOf = (media: Media): MediaValues => ({
  title: media.title ?? '',
  description: media.description ?? '',
  alt_text: media.alt_text ?? '',
  unlisted: media.unlisted ?? false,
  isNsfw: media.is_nsfw ?? false,
  wasNsfw: media.is_nsfw ?? false,
});

/** Reads the values from a submitted form. */
export const sentMediaValues = (visit: Visit): MediaValues => ({
  title: fieldLines(visit, 'title').trim(),
  description: fieldLines(visit, 'description').trim(),
  alt_text: fieldLines(visit, 'alt_text').trim(),
  unlisted: fieldTexts(visit, 'unlisted').length > 0,
  isNsfw: fieldTexts(visit, 'is_nsfw').length > 0,
  wasNsfw: fieldTexts(visit, 'was_nsfw').length > 0,
});

/** The changes for the API. `is_nsfw` is sent only if the owner has changed it, so that a rejected file can be edited. */
export const mediaChangesOf = (values: MediaValues): BodyOf<'updateMedia'> => ({
  title: values.title || null,
  description: values.description || null,
  alt_text: values.alt_text || null,
  unlisted: values.unlisted,
  ...(values.isNsfw !== values.wasNsfw && { is_nsfw: values.isNsfw }),
});

/** Path of a media item's editor, which leads to `next` afterwards. */
export const mediaEditPath = (slug: string, next: string): string => mediaPath(slug, 'edit', next);

const mediaPath = (slug: string, action: 'edit' | 'delete', next: string): string =>
  `/m/${encodeURIComponent(slug)}/${action}?${new URLSearchParams({ next }).toString()}`;

interface MediaDetailsFormProps {
  readonly slug: string;
  readonly values: MediaValues;
  readonly problem?: FormProblem | undefined;
  readonly next: string;
}

/** Title, description and alternative text of a media item, and whether it is listed. */
export function MediaDetailsForm({ slug, values, problem, next }: MediaDetailsFormProps): JSX.Element {
  const id = (name: string): string => `media-${slug}-${name}`;
  const errors = problem?.errors ?? {};
  return (
    <PostForm action={mediaEditPath(slug, next)} class="stack" data-enhance="edit-media">
      <Field label="Title" name="title" id={id('title')} errors={errors['title']}>
        {(control) => <input {...control} type="text" dir="auto" value={values.title} />}
      </Field>
      <Field
        label="Alternative text"
        name="alt_text"
        id={id('alt')}
        errors={errors['alt_text']}
        hint="Describes it to people who can’t see it."
      >
        {(control) => (
          <textarea {...control} dir="auto" rows={2}>
            {values.alt_text}
          </textarea>
        )}
      </Field>
      <Field label="Description" name="description" id={id('description')} errors={errors['description']}>
        {(control) => (
          <textarea {...control} dir="auto" rows={2}>
            {values.description}
          </textarea>
        )}
      </Field>
      <label class="check">
        <input type="checkbox" name="unlisted" value="1" checked={values.unlisted} /> Unlisted: not in feeds,
        search or your profile until it is in a public post
      </label>
      <label class="check">
        <input type="checkbox" name="is_nsfw" value="1" checked={values.isNsfw} /> Adult content (nsfw): show
        it only to people who chose to see it
      </label>
      {values.wasNsfw && <input type="hidden" name="was_nsfw" value="1" />}
      <button class="button primary">Save</button>
    </PostForm>
  );
}

interface DeleteMediaFormProps {
  readonly slug: string;
  readonly next: string;
}

/** The form that permanently deletes a media item, after a confirmation. */
export function DeleteMediaForm({ slug, next }: DeleteMediaFormProps): JSX.Element {
  return (
    <details class="confirm">
      <summary>Delete file …</summary>
      <PostForm action={mediaPath(slug, 'delete', next)} class="stack" data-enhance="go">
        <p>This permanently deletes the file and removes it from every post. Links to it stop working.</p>
        <button class="button danger">Delete file</button>
      </PostForm>
    </details>
  );
}
