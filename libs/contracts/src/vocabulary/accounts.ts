/** How a login at an identity provider ends. */
export const PROVIDER_RESULTS = ['session', 'second-factor', 'newcomer', 'linked'] as const;
export type ProviderResult = (typeof PROVIDER_RESULTS)[number];

/** Roles of accounts. Moderators and admins may use the moderation routes. */
export const ROLES = ['user', 'moderator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Permissions of tokens. A session has all of them. */
export const SCOPES = ['read', 'upload', 'write', 'moderate'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a new API token that names none. `moderate` is never given by default. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'upload', 'write'];

/** 3–30 letters, digits and underscores. Usernames are unique ignoring case. */
export const USERNAME_PATTERN = /^[A-Za-z0-9_]{3,30}$/;

/**
 * States of accounts. The things of a `limited` account are in no list, and it can't comment on other people's posts.
 * A `suspended` account can't log in, and its things are hidden.
 */
export const ACCOUNT_STATES = ['active', 'limited', 'suspended'] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** The states of an account that is not active. */
export type Restriction = Exclude<AccountState, 'active'>;

/**
 * Who may register: everyone; everyone, but staff decides on each account; who has an invite; nobody. With `approval`,
 * an invite replaces the decision.
 */
export const REGISTRATION_MODES = ['open', 'approval', 'invite', 'closed'] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** Who may make invites: moderators and admins, or all members. */
export const INVITERS = ['staff', 'members'] as const;
export type Inviters = (typeof INVITERS)[number];

/** What a proof of work is for: a challenge for one of these is of no use for another. */
export const PROOF_PURPOSES = ['register', 'apply', 'guest', 'report'] as const;
export type ProofPurpose = (typeof PROOF_PURPOSES)[number];

/** States of invites. */
export const INVITE_STATES = ['open', 'used', 'expired', 'revoked'] as const;
export type InviteState = (typeof INVITE_STATES)[number];

/** What staff decide on an application. */
export const APPLICATION_DECISIONS = ['accept', 'decline'] as const;
export type ApplicationDecision = (typeof APPLICATION_DECISIONS)[number];

/** What the second step of a login accepts: a code of an authenticator app, a recovery code, or a passkey. */
export const SECOND_FACTORS = ['app', 'recovery-code', 'passkey'] as const;
export type SecondFactor = (typeof SECOND_FACTORS)[number];

/** How people log in. `registration` is the first session of a new account. */
export const LOGIN_METHODS = ['registration', 'password', 'provider', 'passkey', 'reset'] as const;
export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** The kinds of notifications that an account can turn off. */
export const OPTIONAL_NOTIFICATION_KINDS = [
  'comment',
  'reply',
  'mention',
  'follow',
  'post',
  'moderation',
] as const;
export type OptionalNotificationKind = (typeof OPTIONAL_NOTIFICATION_KINDS)[number];

/** What notifications tell of. `account` tells of changes of the account by staff. */
export const NOTIFICATION_KINDS = [...OPTIONAL_NOTIFICATION_KINDS, 'account'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** How often unread notifications are sent by mail, at most. */
export const NOTIFICATION_MAILS = ['never', 'hourly', 'daily'] as const;
export type NotificationMails = (typeof NOTIFICATION_MAILS)[number];

/** The largest number of people whom one text notifies by naming them. */
export const MAX_MENTIONS = 10;

/** The largest number of notifications of one kind that an account keeps; older ones are removed. */
export const MAX_NOTIFICATIONS = 500;
