import { defineEvent } from './event';

/** A media's row is gone; its objects are to follow. */
export interface MediaDeleted {
  readonly media_id: number;
  readonly slug: string;
}
export const mediaDeleted = defineEvent<MediaDeleted>()('media.deleted', 1, {
  consumers: ['upload-service'],
});
