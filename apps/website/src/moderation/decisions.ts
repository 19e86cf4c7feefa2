import type { Ruling } from '@vitrine/contracts';
import type { Subject } from './queue-item';

/** The decisions of a moderator, and the API's ruling for each. */
export const DECISIONS = {
  approve: { done: 'Approved', ruling: 'approved', note: 'Reviewed: safe for everyone.' },
  nsfw: { done: 'Marked as NSFW', ruling: 'nsfw', note: 'Reviewed: adult content.' },
  reject: { done: 'Rejected', ruling: 'rejected', note: 'Reviewed: against the rules.' },
  ban: { done: 'Rejected and banned', ruling: 'rejected', note: 'Reviewed: must not be hosted.' },
  /** Only dismisses the reports. */
  keep: { done: 'Reports dismissed', ruling: null, note: '' },
  /** For comments only. */
  delete: { done: 'Deleted', ruling: null, note: '' },
} as const satisfies Readonly<
  Record<string, { readonly done: string; readonly ruling: Ruling | null; readonly note: string }>
>;

export type DecisionName = keyof typeof DECISIONS;

export const isDecision = (text: string): text is DecisionName => Object.hasOwn(DECISIONS, text);

/** The possible decisions for a kind of subject. */
export const decisionsFor = (type: Subject['type']): readonly DecisionName[] =>
  ({
    media: ['approve', 'nsfw', 'reject', 'ban', 'keep'] as const,
    post: ['approve', 'nsfw', 'reject', 'ban', 'keep'] as const,
    comment: ['keep', 'delete'] as const,
    user: ['keep'] as const,
  })[type];
