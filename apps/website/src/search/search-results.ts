import type { AnswerOf } from '@vitrine/client';

export type ResultKind = 'posts' | 'media';

/** One page of results. */
export type Results =
  ({ readonly kind: 'posts' } & AnswerOf<'listPosts'>) | ({ readonly kind: 'media' } & AnswerOf<'listMedia'>);

/** Query parameters of a search. */
export const searchParameters = (kind: ResultKind, words: string): Readonly<Record<string, string>> => ({
  q: words,
  ...(kind === 'media' && { type: kind }),
});
