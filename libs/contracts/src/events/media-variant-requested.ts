import type { VariantRecord } from '../media/variant-record';
import { defineEvent } from './event';
import type { MediaUploaded } from './media-uploaded';

/** A removed variant of a still picture must be made again now, because a reader waits for it. */
export interface MediaVariantRequested extends MediaUploaded {
  /** The object to make: its key, format and pixels. */
  readonly variant: Pick<VariantRecord, 'key' | 'ext' | 'width' | 'height'>;
}
export const mediaVariantRequested = defineEvent<MediaVariantRequested>()('media.variant_requested', 1, {
  consumers: ['media-processor'],
});
