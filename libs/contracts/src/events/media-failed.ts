import { defineEvent } from './event';

/** A media can't be processed, for good. */
export interface MediaFailed {
  readonly media_id: number;
  readonly slug: string;
  /** A sentence for the uploader; no paths, no tool output. */
  readonly reason: string;
  /** True if the file exceeded its time; its uploader's next files then wait behind those of others. */
  readonly overran?: boolean;
}
export const mediaFailed = defineEvent<MediaFailed>()('media.failed', 1, {
  consumers: ['upload-service', 'moderation-service'],
});
