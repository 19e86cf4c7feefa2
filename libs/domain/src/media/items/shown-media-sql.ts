/** The columns of a `ShownMedia` whose row is `m`; the read models of posts use them too. */
export const SHOWN_MEDIA = `
  m.id, m.slug, m.user_id as "userId", m.title, m.description, m.alt_text as "altText", m.kind, m.format,
  m.mime, m.ext, m.bytes, m.width, m.height, m.duration, m.frames, m.moderation_status as "moderationStatus",
  m.decided_at as "decidedAt",  m.processed, m.processing_error as "processingError",
  m.processing_progress as "processingProgress", m.thumbhash, m.tags, m.unlisted,
  m.owner_nsfw as "ownerNsfw", m.listing, m.variants,
  m.created_at as "createdAt"`;
