import sharp from 'sharp';
import { MODEL_EDGE } from './nsfw-model';

// Frames are JPEG files that media-processor encoded; nothing else shall reach a decoder in this process.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg'] });
sharp.cache(false);
sharp.concurrency(1);

/** Frames are at most this large, in pixels; theirs are far smaller. */
const MAX_PIXELS = 4_000_000;

/** The model's input of one JPEG file: stretched to a square, as the model was trained, three bytes a pixel. */
export async function decodeForModel(jpeg: Uint8Array): Promise<Uint8Array> {
  return sharp(jpeg, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .toColourspace('srgb')
    .removeAlpha()
    .resize(MODEL_EDGE, MODEL_EDGE, { fit: 'fill' })
    .raw()
    .toBuffer();
}
