import { type AnswerOf, type ListedPost, type Post, VitrineError } from '@vitrine/client';
import { feedMark, readFeedMark } from '../links/feed-mark';
import type { Visit } from '../visits/visit';

/** Tiles of each list. */
const TILES = 6;

/** Where to go from a post: its neighbours in the feed from which it was opened, and lists of related posts. */
export interface Surroundings {
  readonly neighbours: AnswerOf<'getPostNeighbours'>['data'];
  /** The feed as a value of `?in=`. */
  readonly mark: string;
  readonly byAuthor: readonly ListedPost[];
  /** Posts with the first tag. */
  readonly tagged: readonly ListedPost[];
}

/** Loads what surrounds a post that is listed, or opened from a collection; else null. A list that fails is empty. */
export async function loadSurroundings(visit: Visit, post: Post): Promise<Surroundings | null> {
  const feed = readFeedMark(visit.request.query['in']);
  const isListed = post.listed && post.visibility !== 'private';
  if (!isListed && feed.collection === undefined) return null;
  const { api, showsNsfw: nsfw } = visit;
  const [tag] = post.tags;
  const list = async (query: { readonly username?: string; readonly tag?: string }) =>
    (await orElse(api.posts.list({ ...query, nsfw, limit: TILES * 2 + 1 }), null))?.data ?? [];
  const [neighbours, ofAuthor, ofTag] = await Promise.all([
    orElse(api.posts.neighbours(post.slug, { ...feed, nsfw }), { previous: null, next: null }),
    isListed && post.user ? list({ username: post.user.username }) : [],
    !isListed || tag === undefined ? [] : list({ tag }),
  ]);
  const byAuthor = ofAuthor.filter(({ id }) => id !== post.id).slice(0, TILES);
  const shown = new Set([post.id, ...byAuthor.map(({ id }) => id)]);
  return {
    neighbours,
    mark: feedMark(feed),
    byAuthor,
    tagged: ofTag.filter(({ id }) => !shown.has(id)).slice(0, TILES),
  };
}

async function orElse<Answer, Other>(answer: Promise<Answer>, other: Other): Promise<Answer | Other> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof VitrineError) return other;
    throw error;
  }
}
