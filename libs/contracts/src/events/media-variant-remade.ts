import { defineEvent } from './event';

/** A removed variant is stored again, or can't be made. */
export interface MediaVariantRemade {
  readonly media_id: number;
  readonly slug: string;
  /** The key of the object. */
  readonly key: string;
  /** Bytes of the object; null if it can't be made. */
  readonly bytes: number | null;
  /** Duration of the work in milliseconds. */
  readonly took_ms: number;
}
export const mediaVariantRemade = defineEvent<MediaVariantRemade>()('media.variant_remade', 1, {
  consumers: ['upload-service'],
});
