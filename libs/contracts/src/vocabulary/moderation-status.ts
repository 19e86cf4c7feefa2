/** The moderation states of media and posts; see docs/glossary.md. */
export const MODERATION_STATUSES = ['approved', 'pending', 'nsfw', 'rejected'] as const;
export type ModerationStatus = (typeof MODERATION_STATUSES)[number];
