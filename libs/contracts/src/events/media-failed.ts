import { defineEvent } from './event';

/** A media can't be processed, for good. */
export interface MediaFailed {
  readonly media_id: number;
  readonly slug: string;
  /** A sentence for the uploader; no paths, no tool output. */
  readonly reason: string;
}
export const mediaFailed = defineEvent<MediaFailed>()('media.failed', 1, {
  consumers: ['upload-service', 'moderation-service'],
});
