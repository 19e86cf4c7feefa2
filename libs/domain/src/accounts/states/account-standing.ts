import type { AccountState, Restriction } from '@vitrine/contracts';

/** The state of an account, as it is now. */
export interface AccountStanding {
  readonly state: AccountState;
  /** Why, in the words of the staff; null for an active account. */
  readonly reason: string | null;
  /** When the account becomes active by itself; null if it doesn't. */
  readonly until: Date | null;
}

/** A state to give to an account. */
export type NewStanding =
  | { readonly state: 'active' }
  | { readonly state: Restriction; readonly reason: string; readonly until: Date | null };

/** The state of every account that isn't restricted. */
export const ACTIVE: AccountStanding = { state: 'active', reason: null, until: null };

/** What a suspended person is told, but only after the right password. */
export function explainSuspension({ reason, until }: AccountStanding): string {
  const end = until === null ? '' : ` until ${inWords(until)}`;
  return `This account is suspended${end}. Reason: ${reason ?? 'not given'}`;
}

/** `2026-12-03 10:00 UTC` */
export const inWords = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
