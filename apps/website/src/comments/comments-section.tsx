import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { useVisit } from '../components/visit-context';
import { pathWith } from '../links/paths';
import { CommentForm } from './comment-form';
import { CommentList } from './comment-list';
import { treeOf } from './comment-tree';
import { COMMENT_SORTS, type CommentSort, type LoadedComments } from './load-comments';
import { type Thread, threadOn } from './thread';

interface CommentsSectionProps {
  readonly post: Post;
  /** From `loadComments`. */
  readonly comments: LoadedComments;
  /** The access key, if the page was opened with it. */
  readonly keyParam?: string | undefined;
}

/**
 * The comments on a post. Needs `comments.css`; `comments.js` adds inline replies, drafts, and posting without a page
 * load.
 */
export function CommentsSection({ post, comments: loaded, keyParam }: CommentsSectionProps): JSX.Element {
  const { visit, viewer } = useVisit();
  const { comments, meta, sort, wanted } = loaded;
  const thread = threadOn(post, visit, keyParam);
  return (
    <section
      class="comments"
      id="comments"
      aria-labelledby="comments-heading"
      data-post={post.slug}
      data-viewer={viewer?.username}
      data-sort={sort}
      data-complete={String(meta.current_page >= meta.last_page)}
    >
      <header class="comments-head">
        <h2 id="comments-heading">
          <span data-comment-count>{post.comment_count}</span>{' '}
          <span data-comment-word>{post.comment_count === 1 ? 'comment' : 'comments'}</span>
        </h2>
        {meta.total > 1 && <SortLinks sort={sort} page={thread.page} />}
      </header>
      <CommentForm thread={thread} id="comment" label="Add a comment" />
      {viewer && (
        <template id="reply-template">
          <CommentForm thread={thread} id="reply" label="Your reply" parent={0} />
        </template>
      )}
      {wanted !== null && !comments.some(({ id }) => id === wanted) && (
        <p class="callout">The comment that you are looking for no longer exists.</p>
      )}
      {meta.total === 0 && (
        <p class="quiet comments-empty" data-empty>
          No comments yet.
        </p>
      )}
      <CommentList nodes={treeOf(comments, sort)} thread={thread} isPartial={meta.last_page > 1} />
      <CommentPages meta={meta} thread={thread} sort={sort} />
    </section>
  );
}

const SORT_NAMES: Readonly<Record<CommentSort, string>> = {
  oldest: 'Oldest',
  latest: 'Latest',
  top: 'Top',
};

/** Path of the comments section in another order or on another page. */
const sectionPath = (page: string, changes: Readonly<Record<string, string | null>>): string =>
  `${pathWith(page, { comment: null, commentPage: null, ...changes })}#comments`;

function SortLinks({ sort, page }: { readonly sort: CommentSort; readonly page: string }): JSX.Element {
  return (
    <nav class="comments-sort" aria-label="Order of the comments">
      {COMMENT_SORTS.map((name) => (
        <a
          href={sectionPath(page, { comments: name === 'oldest' ? null : name })}
          aria-current={name === sort ? 'true' : undefined}
          rel="nofollow"
        >
          {SORT_NAMES[name]}
        </a>
      ))}
    </nav>
  );
}

interface CommentPagesProps extends Pick<LoadedComments, 'meta' | 'sort'> {
  readonly thread: Thread;
}

function CommentPages({ meta, thread, sort }: CommentPagesProps): JSX.Element | null {
  const { current_page: current, last_page: last } = meta;
  if (last === 1 && current === 1) return null;
  const link = (page: number, rel: 'prev' | 'next', words: string): JSX.Element => (
    <a
      class="button"
      rel={rel}
      href={sectionPath(thread.page, {
        comments: sort === 'oldest' ? null : sort,
        commentPage: page === 1 ? null : String(page),
      })}
    >
      {words}
    </a>
  );
  return (
    <nav class="pager" aria-label="Pages of comments">
      {current > 1 && link(Math.min(current - 1, last), 'prev', 'Previous comments')}
      <span>
        Page {current} of {last}
      </span>
      {current < last && link(current + 1, 'next', 'More comments')}
    </nav>
  );
}
