import type { AnswerOf } from '@vitrine/client';
import type { Visit } from '../visits/visit';
import { idOrNull, pageNumber } from '../visits/query-parameters';

type CommentPage = AnswerOf<'listComments'>;
type ListOfPost = ReturnType<Visit['api']['comments']['on']>;

/** One page of a post's comments, in the order that the visitor chose. */
export interface LoadedComments {
  readonly comments: CommentPage['data'];
  readonly meta: CommentPage['meta'];
  readonly sort: CommentSort;
  /** Id of the comment that the address names; the comment may have been deleted. */
  readonly wanted: number | null;
}

export const COMMENT_SORTS = ['oldest', 'latest', 'top'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** Number of comments and tombstones on one page. */
export const COMMENTS_PER_PAGE = 100;

/**
 * Loads the comments that the page's address names: `comments=<order>` and `commentPage=<n>`, or `comment=<id>` for the
 * page that contains this comment. `key` opens a private post. Can run in parallel with loading the post.
 */
export async function loadComments(
  visit: Visit,
  post: string,
  key: string | undefined,
): Promise<LoadedComments> {
  const { comments: order, commentPage, comment } = visit.request.query;
  const list = visit.api.comments.on(post);
  const wanted = idOrNull(comment);
  if (wanted !== null) {
    const { data, meta } = await findPageOfComment(list, wanted, key);
    return { comments: data, meta, sort: 'oldest', wanted };
  }
  const sort = COMMENT_SORTS.find((name) => name === order) ?? 'oldest';
  const page = pageNumber(commentPage);
  const { data, meta } = await list.list({ sort, page, limit: COMMENTS_PER_PAGE, key });
  return { comments: data, meta, sort, wanted: null };
}

/**
 * Finds the page that contains a comment, or would contain it if it weren't deleted. The ids rise from the oldest
 * comment on, so a binary search finds it. Most posts have one page.
 */
export async function findPageOfComment(
  list: ListOfPost,
  id: number,
  key: string | undefined,
): Promise<CommentPage> {
  const load = (page: number): Promise<CommentPage> =>
    list.list({ sort: 'oldest', page, limit: COMMENTS_PER_PAGE, key });
  const endsBefore = ({ data }: CommentPage): boolean => (data.at(-1)?.id ?? Infinity) < id;
  let found = await load(1);
  if (!endsBefore(found)) return found;
  let [low, high] = [2, found.meta.last_page];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    found = await load(middle);
    if (endsBefore(found)) low = middle + 1;
    else high = middle;
  }
  return found.meta.current_page === low || low > high ? found : load(low);
}
