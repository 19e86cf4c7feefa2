import type { Ruling } from '@vitrine/contracts';
import type { Subject } from './queue-item';

/** What a moderator can decide, and what it means for the API. */
export const DECISIONS = {
  approve: { done: 'Approved', ruling: 'approved', note: 'Seen, and fine for everybody.' },
  nsfw: { done: 'Marked as nsfw', ruling: 'nsfw', note: 'Seen: for adults.' },
  reject: { done: 'Rejected', ruling: 'rejected', note: 'Seen: against the rules.' },
  ban: { done: 'Rejected and banned', ruling: 'rejected', note: 'Seen: must not be hosted.' },
  /** Only closes the reports. */
  keep: { done: 'Left as it is', ruling: null, note: '' },
  /** Comments alone. */
  delete: { done: 'Deleted', ruling: null, note: '' },
} as const satisfies Readonly<
  Record<string, { readonly done: string; readonly ruling: Ruling | null; readonly note: string }>
>;

export type DecisionName = keyof typeof DECISIONS;

export const isDecision = (text: string): text is DecisionName => Object.hasOwn(DECISIONS, text);

/** What can be decided on a kind of thing. */
export const decisionsFor = (type: Subject['type']): readonly DecisionName[] =>
  ({
    media: ['approve', 'nsfw', 'reject', 'ban', 'keep'] as const,
    post: ['approve', 'nsfw', 'reject', 'ban', 'keep'] as const,
    comment: ['keep', 'delete'] as const,
    user: ['keep'] as const,
  })[type];
