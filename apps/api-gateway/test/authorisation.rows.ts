import type { Given, Thing } from './authorisation.things';

/**
 * Statuses by caller. Bad tokens and missing scopes need no column, because their statuses follow from the document.
 */
export interface Expected {
  readonly anonymous: number;
  /** Another member, unrelated to the item. */
  readonly other: number;
  readonly owner: number;
  readonly moderator: number;
  readonly admin: number;
  /** The status for an owner who is a guest and so has no name; absent if it is the same as for other owners. */
  readonly guest?: number;
  /** The owner and another member while they are limited: where that isn't what they get otherwise. */
  readonly limited?: { readonly owner?: number; readonly other?: number };
}

export interface Row {
  readonly on: Thing;
  readonly expected: Expected;
  /** The query after the `?`, if the case needs one. */
  readonly query?: (given: Given) => string;
  /** The body, if the example of the document can't be used. */
  readonly body?: object | ((given: Given) => object);
}

type Body = Row['body'];

/** Logged in or not. */
export const anyone = (on: Thing, status = 200, body?: Body): Row =>
  row(on, { anonymous: status, other: status, owner: status, moderator: status, admin: status }, body);

/** Every member. */
export const anyAccount = (on: Thing, status = 200, body?: Body): Row =>
  row(on, { anonymous: 401, other: status, owner: status, moderator: status, admin: status }, body);

/** Every member; the owner gets a different answer. */
export const anyAccountBut = (on: Thing, owner: number): Row =>
  row(on, { anonymous: 401, other: 200, owner, moderator: 200, admin: 200 });

/** Only the owner; others get 403 or 404. */
export const onlyOwner = (on: Thing, refusal: 403 | 404, body?: Body): Row =>
  row(on, { anonymous: 401, other: refusal, owner: 200, moderator: refusal, admin: refusal }, body);

/** Only the owner sees it; others get 404. */
export const onlyOwnerSees = (on: Thing): Row =>
  row(on, { anonymous: 404, other: 404, owner: 200, moderator: 404, admin: 404 });

/** The owner and staff can see it; others get 404. */
export const ownerAndStaffSee = (on: Thing): Row =>
  row(on, { anonymous: 404, other: 404, owner: 200, moderator: 200, admin: 200 });

/** The owner and staff can do it; others get 403. */
export const ownerAndStaff = (on: Thing): Row =>
  row(on, { anonymous: 401, other: 403, owner: 200, moderator: 200, admin: 200 });

/** Without the key of a private post: the owner can do it, staff can only see it, others get 404. */
export const onlyOwnerOfPrivate = (on: Thing, status: number, body?: Body): Row =>
  row(on, { anonymous: 401, other: 404, owner: status, moderator: 403, admin: 403 }, body);

/** Moderators and admins. */
export const onlyStaff = (on: Thing, status = 200, body?: Body): Row =>
  row(on, { anonymous: 401, other: 403, owner: 403, moderator: status, admin: status }, body);

/** Admins. */
export const onlyAdmin = (on: Thing, status = 200, body?: Body): Row =>
  row(on, { anonymous: 401, other: 403, owner: 403, moderator: 403, admin: status }, body);

/** Only a guest, for its own items. */
export const onlyGuest = (on: Thing): Row =>
  row(on, { anonymous: 401, other: 403, owner: 403, moderator: 403, admin: 403, guest: 200 });

export const unlessGuest = (one: Row, guest: number): Row => ({
  ...one,
  expected: { ...one.expected, guest },
});

/** Limited accounts comment only on their own posts. */
export const unlessLimited = (one: Row, limited: Expected['limited']): Row => ({
  ...one,
  expected: { ...one.expected, ...(limited && { limited }) },
});

export const withOwner = (one: Row, owner: number): Row => ({ ...one, expected: { ...one.expected, owner } });

export const withKey = (one: Row): Row => ({ ...one, query: ({ key }) => `key=${key}` });

export const row = (on: Thing, expected: Expected, body?: Body): Row => ({
  on,
  expected,
  ...(body && { body }),
});
