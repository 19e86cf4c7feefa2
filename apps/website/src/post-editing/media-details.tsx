import type { Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { Field } from '../components/field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';

/** The texts of a media item; empty strings if there are none. */
export interface MediaValues {
  readonly title: string;
  readonly description: string;
  readonly alt_text: string;
  readonly unlisted: boolean;
}

export const mediaValuesOf = ({ title, description, alt_text, unlisted = false }: Media): MediaValues => ({
  title: title ?? '',
  description: description ?? '',
  alt_text: alt_text ?? '',
  unlisted,
});

/** Path of a media item's editor, which leads to `next` afterwards. */
export const mediaEditPath = (slug: string, next: string): string => mediaPath(slug, 'edit', next);

export const mediaPath = (slug: string, action: 'edit' | 'delete', next: string): string =>
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
        {(control) => <input {...control} type="text" value={values.title} />}
      </Field>
      <Field
        label="Alternative text"
        name="alt_text"
        id={id('alt')}
        errors={errors['alt_text']}
        hint="Describes it to people who can’t see it."
      >
        {(control) => (
          <textarea {...control} rows={2}>
            {values.alt_text}
          </textarea>
        )}
      </Field>
      <Field label="Description" name="description" id={id('description')} errors={errors['description']}>
        {(control) => (
          <textarea {...control} rows={2}>
            {values.description}
          </textarea>
        )}
      </Field>
      <label class="check">
        <input type="checkbox" name="unlisted" value="1" checked={values.unlisted} /> Don’t list it in feeds,
        search or on your profile until it is in a public post
      </label>
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
