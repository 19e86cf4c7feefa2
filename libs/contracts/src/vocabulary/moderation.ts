/** Types of items that decisions are made on. */
export const DECISION_SUBJECTS = ['media', 'post', 'user'] as const;
export type DecisionSubject = (typeof DECISION_SUBJECTS)[number];

/** SHA-256 of a file’s bytes, or PDQ of a picture. */
export const BANNED_HASH_KINDS = ['sha256', 'pdq'] as const;
export type BannedHashKind = (typeof BANNED_HASH_KINDS)[number];

/** What a moderator may decide. `pending` undoes earlier rulings. */
export const RULINGS = ['approved', 'nsfw', 'rejected', 'pending'] as const;
export type Ruling = (typeof RULINGS)[number];
