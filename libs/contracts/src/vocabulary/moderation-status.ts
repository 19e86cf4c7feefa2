/** The moderation states of media and posts; see docs/glossary.md. */
export const MODERATION_STATUSES = ['approved', 'pending', 'nsfw', 'rejected'] as const;
export type ModerationStatus = (typeof MODERATION_STATUSES)[number];

/** What a pending item waits for: the automatic check or a moderator. */
export const PENDING_ON = ['machine', 'person'] as const;
export type PendingOn = (typeof PENDING_ON)[number];
