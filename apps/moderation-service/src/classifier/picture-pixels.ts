import sharp from 'sharp';
import { MODEL_EDGE } from './nsfw-model';

// Frames are JPEG files that media-processor encoded. No other decoder may run in this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg'] });
sharp.cache(false);
sharp.concurrency(1);

/** More pixels than any frame of media-processor has. */
const MAX_PIXELS = 4_000_000;

/** Decodes a JPEG file to the model's input: scaled to a square as in the model's training, three bytes per pixel. */
export async function decodeForModel(jpeg: Uint8Array): Promise<Uint8Array> {
  return sharp(jpeg, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(MODEL_EDGE, MODEL_EDGE, { fit: 'fill' })
    .raw()
    .toBuffer();
}
