/** The condition under which a row `r` of `account_restrictions` is in force. A restriction ends by its date alone. */
const IN_FORCE = '(r.until is null or r.until > now())';

/**
 * The restriction of an account that is in force, as SQL: `limited`, `suspended`, or null. `userId` is the column with
 * the account's id, which may be null.
 */
export const restrictionOf = (userId: string): string =>
  `(select r.state from account_restrictions r where r.user_id = ${userId} and ${IN_FORCE})`;

/** The condition that an account is suspended. `userId` is the column with the account's id, which may be null. */
export const isSuspended = (userId: string): string =>
  `exists (select from account_restrictions r
           where r.user_id = ${userId} and r.state = 'suspended' and ${IN_FORCE})`;

/**
 * The condition that no feed lists the things of an account. It doesn't depend on the time, so that `listing` can be
 * derived from it: the sweep that removes a restriction which has ended also lists the things again.
 */
export const isWithheld = (userId: string): string =>
  `exists (select from account_restrictions r where r.user_id = ${userId})`;
