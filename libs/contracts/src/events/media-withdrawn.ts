import { defineEvent } from './event';

/** A media item has been rejected: its files are kept, but no longer served. */
export interface MediaWithdrawn {
  readonly media_id: number;
  readonly slug: string;
  /** The names below `/f/` that shared caches may keep. */
  readonly file_names: readonly string[];
}
export const mediaWithdrawn = defineEvent<MediaWithdrawn>()('media.withdrawn', 1, {
  consumers: ['upload-service'],
});
