import { defineEvent } from './event';

/** Processing exceeded the time limit of quick work. The file has not failed; it must be requested again as long work. */
export interface MediaOverran {
  readonly media_id: number;
  readonly slug: string;
  /** The time until the work was stopped, in milliseconds. */
  readonly took_ms: number;
}
export const mediaOverran = defineEvent<MediaOverran>()('media.overran', 1, {
  consumers: ['upload-service'],
});
