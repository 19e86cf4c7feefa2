/** The moderation states of media and posts; see docs/glossary.md. */
export const MODERATION_STATUSES = ['approved', 'pending', 'nsfw', 'rejected'] as const;
export type ModerationStatus = (typeof MODERATION_STATUSES)[number];

/** What a pending item waits for: the automatic check or a moderator. */
export const PENDING_ON = ['machine', 'person'] as const;
export type PendingOn = (typeof PENDING_ON)[number];

/** Who can read a post: everyone, everyone who knows its slug, or everyone who has its access key. */
export const VISIBILITIES = ['public', 'hidden', 'private'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Who can read a collection: its owner, or everyone who knows its slug. */
export const COLLECTION_VISIBILITIES = ['private', 'hidden'] as const satisfies readonly Visibility[];
export type CollectionVisibility = (typeof COLLECTION_VISIBILITIES)[number];

/** Which feeds an item is in: none, all of them, or those that include nsfw. */
export const LISTINGS = ['unlisted', 'safe', 'nsfw'] as const;
export type Listing = (typeof LISTINGS)[number];

/** Types of items that decisions are made on. */
export const DECISION_SUBJECTS = ['media', 'post', 'user'] as const;
export type DecisionSubject = (typeof DECISION_SUBJECTS)[number];

/** SHA-256 of a file’s bytes, or PDQ of a picture. */
export const BANNED_HASH_KINDS = ['sha256', 'pdq'] as const;
export type BannedHashKind = (typeof BANNED_HASH_KINDS)[number];

/** What a moderator may decide. `pending` undoes earlier rulings. */
export const RULINGS = ['approved', 'nsfw', 'rejected', 'pending'] as const;
export type Ruling = (typeof RULINGS)[number];

/** What can be reported. */
export const REPORT_TYPES = ['media', 'post', 'comment', 'user'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const REPORT_REASONS = ['spam', 'abuse', 'nsfw', 'illegal', 'copyright', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];
