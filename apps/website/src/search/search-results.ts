import type { AnswerOf } from '@vitrine/client';

export type ResultKind = 'posts' | 'media';

/** A page of what was found. */
export type Results =
  ({ readonly kind: 'posts' } & AnswerOf<'listPosts'>) | ({ readonly kind: 'media' } & AnswerOf<'listMedia'>);

/** Parameters of a search's address. */
export const searchParameters = (kind: ResultKind, words: string): Readonly<Record<string, string>> => ({
  q: words,
  ...(kind === 'media' && { type: kind }),
});
