import { defineEvent } from './event';

/** The row of a media item has been deleted; its objects must be deleted too. */
export interface MediaDeleted {
  readonly media_id: number;
  readonly slug: string;
}
export const mediaDeleted = defineEvent<MediaDeleted>()('media.deleted', 1, {
  consumers: ['upload-service'],
});
