import type { BodyOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Field } from '../components/field';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { typedTags } from '../tags/typed-tags';
import { fieldLines, fieldText, fieldTexts } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { KeyLink } from './key-link';
import { editPath, type OwnPost } from './owner-access';
import { VISIBILITIES } from '../components/visibilities';

type Visibility = OwnPost['visibility'];

/** The values of the form, as typed. */
export interface PostValues {
  readonly title: string;
  readonly description: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly visibility: Visibility;
  /** Replaces the link of a private post. */
  readonly isNewKey: boolean;
  readonly isNsfw: boolean;
  /** The value of `isNsfw` when the form was rendered. */
  readonly wasNsfw: boolean;
}

export const postValuesOf = (post: OwnPost): PostValues => ({
  title: post.title ?? '',
  description: post.description ?? '',
  tags: post.tags.join(', '),
  visibility: post.visibility,
  isNewKey: false,
  isNsfw: post.moderation_status === 'nsfw',
  wasNsfw: post.moderation_status === 'nsfw',
});

const isVisibility = (text: string): text is Visibility => Object.hasOwn(VISIBILITIES, text);

/** Reads the form. An invalid visibility becomes `private`, so nothing is published by mistake. */
export function sentPostValues(visit: Visit): PostValues {
  const visibility = fieldText(visit, 'visibility');
  return {
    title: fieldText(visit, 'title').trim(),
    description: fieldLines(visit, 'description').trim(),
    tags: fieldText(visit, 'tags').trim(),
    visibility: isVisibility(visibility) ? visibility : 'private',
    isNewKey: fieldText(visit, 'new_access_key') !== '',
    isNsfw: fieldTexts(visit, 'is_nsfw').length > 0,
    wasNsfw: fieldTexts(visit, 'was_nsfw').length > 0,
  };
}

/**
 * The changes for the API. `is_nsfw` is sent only if the owner has changed it, so that the moderators' decision stays.
 */
export function postChangesOf(values: PostValues): BodyOf<'updatePost'> {
  return {
    title: values.title === '' ? null : values.title,
    description: values.description === '' ? null : values.description,
    tags: [...typedTags(values.tags)],
    visibility: values.visibility,
    ...(values.isNewKey && { new_access_key: true }),
    ...(values.isNsfw !== values.wasNsfw && { is_nsfw: values.isNsfw }),
  };
}

interface PostDetailsFormProps {
  readonly post: OwnPost;
  readonly values: PostValues;
  readonly problem?: FormProblem | undefined;
}

/** The form for title, description, tags, visibility and nsfw mark of a post. */
export function PostDetailsForm({ post, values, problem }: PostDetailsFormProps): JSX.Element {
  const errors = problem?.errors ?? {};
  return (
    <PostForm action={editPath(post.slug)} id="post-details" class="stack" data-enhance="edit-post">
      <FormProblemNote problem={problem} fields={['title', 'description', 'tags']} />
      <Field label="Title" name="title" errors={errors['title']}>
        {(control) => (
          <input {...control} type="text" dir="auto" value={values.title} placeholder="Untitled" />
        )}
      </Field>
      <Field label="Description" name="description" errors={errors['description']}>
        {(control) => (
          <textarea {...control} dir="auto" rows={4}>
            {values.description}
          </textarea>
        )}
      </Field>
      <Field label="Tags" name="tags" hint="At most 20, separated by commas." errors={errors['tags']}>
        {(control) => (
          <input {...control} type="text" value={values.tags} autoCapitalize="none" autoComplete="off" />
        )}
      </Field>
      <fieldset class="choices">
        <legend>Who can see it</legend>
        {Object.entries(VISIBILITIES).map(([visibility, { name, meaning }]) => (
          <label class="choice">
            <input
              type="radio"
              name="visibility"
              value={visibility}
              checked={visibility === values.visibility}
            />
            <span>
              <strong>{name}</strong>
              <span class="hint">{meaning}</span>
            </span>
          </label>
        ))}
        <div data-key-link>
          {post.visibility === 'private' && typeof post.access_key === 'string' && (
            <>
              <KeyLink slug={post.slug} accessKey={post.access_key} id="editor-key" />
              <label class="check">
                <input type="checkbox" name="new_access_key" value="1" checked={values.isNewKey} /> Replace
                this link: it stops working when you save
              </label>
            </>
          )}
        </div>
      </fieldset>
      {post.moderation_status !== 'rejected' && (
        <label class="choice">
          <input type="checkbox" name="is_nsfw" value="1" checked={values.isNsfw} />
          <span>
            <strong>Adult content (nsfw)</strong>
            <span class="hint">
              Shown only to people who chose to see it. You can’t remove a mark that a moderator has set.
            </span>
          </span>
        </label>
      )}
      {values.wasNsfw && <input type="hidden" name="was_nsfw" value="1" />}
      <div class="editor-actions">
        <button class="button primary">Save</button>
      </div>
    </PostForm>
  );
}
