import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { PostForm } from '../components/post-form';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';
import { MediaArranger } from './media-arranger';
import type { OwnPost } from './owner-access';
import { PostDetailsForm, type PostValues } from './post-details-form';

interface EditPostPageProps {
  readonly post: OwnPost;
  readonly values: PostValues;
  /** Path of the post's page. */
  readonly back: string;
  /** With the details. */
  readonly trouble?: FormTrouble | undefined;
  /** With the media. */
  readonly mediaTrouble?: FormTrouble | undefined;
}

/** Everything an owner can change of a post. `editing.js` shows `#editor` over the post's page. */
export function EditPostPage({ post, values, back, trouble, mediaTrouble }: EditPostPageProps): JSX.Element {
  return (
    <>
      <h1>Edit your post</h1>
      <p>
        <a href={back}>Back to the post</a>
      </p>
      <div id="editor" class="editor">
        <section aria-labelledby="editor-words">
          <h2 id="editor-words">What it says</h2>
          <PostDetailsForm post={post} values={values} trouble={trouble} />
        </section>
        <section aria-labelledby="editor-files">
          <h2 id="editor-files">Pictures and videos</h2>
          <TroubleNote trouble={mediaTrouble} fields={[]} />
          <MediaArranger post={post} />
        </section>
        <section aria-labelledby="editor-end">
          <h2 id="editor-end">Delete</h2>
          <details class="confirm">
            <summary>
              <Icon name="trash" />
              Delete the post …
            </summary>
            <PostForm action={`/p/${post.slug}/delete`} class="stack" data-enhance="go">
              <p>The post goes for good, with its comments and votes. Its files stay among your media.</p>
              <button class="button danger">Yes, delete the post</button>
            </PostForm>
          </details>
        </section>
      </div>
    </>
  );
}
