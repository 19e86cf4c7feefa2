import sharp from 'sharp';
import { RASTER_EDGE as EDGE, sampleAt } from './raster-cell';

/** The usual picture, softened so that lossy formats show it alike. */
export function softPicture(channels: 1 | 3 | 4, frames = 1): sharp.Sharp {
  const data = Buffer.alloc(EDGE * EDGE * frames * channels);
  for (let y = 0; y < EDGE * frames; y++)
    for (let x = 0; x < EDGE; x++)
      for (let channel = 0; channel < channels; channel++) {
        const frame = Math.floor(y / EDGE);
        const sample =
          channel === 2 ? (x + y) / (2 * EDGE * frames) : sampleAt((x + frame * 5) % EDGE, y % EDGE, channel);
        data[(y * EDGE + x) * channels + channel] = Math.round(sample * 255);
      }
  const raw = { width: EDGE, height: EDGE * frames, channels, ...(frames > 1 && { pageHeight: EDGE }) };
  return sharp(data, { raw, ...(frames > 1 && { pages: -1 }) });
}
