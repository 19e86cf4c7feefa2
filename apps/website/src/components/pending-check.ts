import type { Media } from '@vitrine/client';

/** What a pending media item or post waits for, as a sentence for its owner. */
export const pendingCheck = ({ pending_on }: Pick<Media, 'pending_on'>): string =>
  pending_on === 'person' ? 'Waiting for a moderator.' : 'Being checked.';
