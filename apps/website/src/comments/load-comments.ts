import type { AnswerOf, Comment } from '@vitrine/client';
import type { Visit } from '../visits/visit';

/** One page of a post's comments, as the visitor wants them. */
export interface LoadedComments {
  readonly comments: readonly Comment[];
  readonly sort: CommentSort;
  readonly meta: AnswerOf<'listComments'>['meta'];
}

export const COMMENT_SORTS = ['oldest', 'latest', 'top'] as const;
export type CommentSort = (typeof COMMENT_SORTS)[number];

/** Comments and tombstones on one page. */
const PER_PAGE = 100;

/**
 * The comments that the page's address asks for: `comments=<order>`, `commentPage=<n>`, or `comment=<id>`: the page
 * that holds this one. `key` opens a private post. Can be asked for at the same time as the post itself.
 */
export async function loadComments(
  visit: Visit,
  post: string,
  key: string | undefined,
): Promise<LoadedComments> {
  const { comments: order, commentPage } = visit.request.query;
  const sort = COMMENT_SORTS.find((name) => name === order) ?? 'oldest';
  const page = Math.max(1, Math.trunc(Number(commentPage)) || 1);
  const { data, meta } = await visit.api.comments.on(post).list({ sort, page, limit: PER_PAGE, key });
  return { comments: data, sort, meta };
}
