import { defineEvent } from './event';

/** The row of a media item has been deleted; its objects must be deleted too. */
export interface MediaDeleted {
  readonly media_id: number;
  readonly slug: string;
  /**
   * The names below `/f/` that shared caches may keep. Absent in events of releases without it: then only caches that
   * forget by slug are told.
   */
  readonly file_names?: readonly string[];
}
export const mediaDeleted = defineEvent<MediaDeleted>()('media.deleted', 1, {
  consumers: ['upload-service'],
});
