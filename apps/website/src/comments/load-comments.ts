import type { AnswerOf } from '@vitrine/client';
import type { Visit } from '../visits/visit';
import { idOrNull, pageNumber } from '../visits/whole-numbers';

type CommentPage = AnswerOf<'listComments'>;
type ListOfPost = ReturnType<Visit['api']['comments']['on']>;

/** One page of a post's comments, as the visitor wants them. */
export interface LoadedComments {
  readonly comments: CommentPage['data'];
  readonly meta: CommentPage['meta'];
  readonly sort: CommentSort;
  /** The comment that the visitor came for; it may be gone. */
  readonly wanted: number | null;
}

export const COMMENT_SORTS = ['oldest', 'latest', 'top'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** Comments and tombstones on one page. */
export const COMMENTS_PER_PAGE = 100;

/**
 * The comments that the page's address asks for: `comments=<order>` and `commentPage=<n>`, or `comment=<id>`: the page
 * that holds this one. `key` opens a private post. Can be asked for at the same time as the post itself.
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
    const { data, meta } = await pageHolding(list, wanted, key);
    return { comments: data, meta, sort: 'oldest', wanted };
  }
  const sort = COMMENT_SORTS.find((name) => name === order) ?? 'oldest';
  const page = pageNumber(commentPage);
  const { data, meta } = await list.list({ sort, page, limit: COMMENTS_PER_PAGE, key });
  return { comments: data, meta, sort, wanted: null };
}

/**
 * The page on which a comment is, or would be if it were still there: the oldest comments come first, and their ids
 * rise, so it is found by halving. Most posts have one page.
 */
export async function pageHolding(
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
