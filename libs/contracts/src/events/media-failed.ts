import { defineEvent } from './event';

/** The processing of a media item has failed permanently. */
export interface MediaFailed {
  readonly media_id: number;
  readonly slug: string;
  /** A sentence for the uploader, without paths and output of tools. */
  readonly reason: string;
  /** True if the file exceeded its time limit; its uploader's next files then wait behind those of others. */
  readonly overran?: boolean;
}
export const mediaFailed = defineEvent<MediaFailed>()('media.failed', 1, {
  consumers: ['upload-service'],
});
