import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';
import { mediaName, MediaThumb } from './media-thumb';
import { pickerPath } from './media-arranger';
import { editPath, type OwnPost } from './owner-access';

interface MediaPickerPageProps {
  readonly post: OwnPost;
  /** One page of the owner's uploads. */
  readonly media: AnswerOf<'listUserMedia'>;
  readonly problem?: FormProblem | undefined;
}

/** The page with the owner's uploads, which can be added to a post. `editing.js` shows `#picker` within the editor. */
export function MediaPickerPage({ post, media, problem }: MediaPickerPageProps): JSX.Element {
  const taken = new Set(post.media.map(({ slug }) => slug));
  const { current_page: page, last_page: last } = media.meta;
  return (
    <>
      <h1>Add to your post</h1>
      <p>
        <a href={editPath(post.slug)}>Back to the editor</a>
      </p>
      <FormProblemNote problem={problem} fields={[]} />
      <PostForm
        action={`/p/${post.slug}/media`}
        number={problem?.number}
        id="picker"
        class="picker"
        data-enhance="add-media"
      >
        {media.data.length === 0 ? (
          <p class="empty">You have no uploads yet.</p>
        ) : (
          <fieldset>
            <legend>Choose from your media</legend>
            <ul class="plain-list picker-grid" data-picker-items>
              {media.data.map((one, index) => (
                <li>
                  <label class="picker-item">
                    <input type="checkbox" name="media_ids" value={one.id} disabled={taken.has(one.slug)} />
                    <MediaThumb media={one} size={96} />
                    <span class="hint">
                      {taken.has(one.slug) && 'In the post: '}
                      {mediaName(one, (page - 1) * media.meta.per_page + index)}
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        )}
        <div class="row">
          <button class="button primary">Add</button>
          {page > 1 && (
            <a class="button" rel="prev" href={pickerPath(post.slug, page - 1)}>
              Newer
            </a>
          )}
          {page < last && (
            <a class="button" rel="next" href={pickerPath(post.slug, page + 1)} data-more-media>
              Older
            </a>
          )}
        </div>
      </PostForm>
    </>
  );
}
