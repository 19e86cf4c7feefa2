import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { DeleteMediaChoice } from '../components/delete-media-choice';
import { MediaArranger } from './media-arranger';
import type { OwnPost } from './owner-access';
import { PostDetailsForm, type PostValues } from './post-details-form';

interface EditPostPageProps {
  readonly post: OwnPost;
  readonly values: PostValues;
  /** Path of the post's page. */
  readonly back: string;
  /** Problem with the details. */
  readonly problem?: FormProblem | undefined;
  /** Problem with the media. */
  readonly mediaProblem?: FormProblem | undefined;
}

/** The page on which an owner edits a post. `editing.js` shows `#editor` over the post's page. */
export function EditPostPage({ post, values, back, problem, mediaProblem }: EditPostPageProps): JSX.Element {
  return (
    <>
      <h1>Edit your post</h1>
      <p>
        <a href={back}>Back to the post</a>
      </p>
      <div id="editor" class="editor">
        <section aria-labelledby="editor-words">
          <h2 id="editor-words">Details</h2>
          <PostDetailsForm post={post} values={values} problem={problem} />
        </section>
        <section aria-labelledby="editor-files">
          <h2 id="editor-files">Pictures and videos</h2>
          <FormProblemNote problem={mediaProblem} fields={[]} />
          <MediaArranger post={post} />
        </section>
        <section aria-labelledby="editor-end">
          <h2 id="editor-end">Delete</h2>
          <details class="confirm">
            <summary>
              <Icon name="trash" />
              Delete post …
            </summary>
            <PostForm action={`/p/${post.slug}/delete`} class="stack" data-enhance="go">
              <p>This permanently deletes the post with its comments and votes.</p>
              <DeleteMediaChoice count={post.media_count} />
              <button class="button danger">Delete post</button>
            </PostForm>
          </details>
        </section>
      </div>
    </>
  );
}
