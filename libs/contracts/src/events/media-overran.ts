import { defineEvent } from './event';

/** A file took longer than quick work may; it is not given up, but must be requested again as long work. */
export interface MediaOverran {
  readonly media_id: number;
  readonly slug: string;
  /** What the work took until it was ended, in milliseconds. */
  readonly took_ms: number;
}
export const mediaOverran = defineEvent<MediaOverran>()('media.overran', 1, {
  consumers: ['upload-service'],
});
