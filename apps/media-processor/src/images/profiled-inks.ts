import { tableConversion } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE } from '../perception/perceive';
import { resizePixels, type Pixels } from '../pixels/pixels';
import { fitLongestEdge } from '../pixels/variant-plan';
import { remembering } from './from-profile';
import { COLOURS, INKS, lightThrough, openInks } from './inks';

/**
 * What Chromium shows of a JPEG in CMYK with a profile: it adds black to each of the other inks, and passes the sums to the
 * profile. Two mixtures of inks that look the same in print, and in libvips, can differ there. Empty for any other picture.
 */
export async function picturesOfProfiledInks({ source }: MediaJob): Promise<(() => Promise<Pixels>)[]> {
  const picture = await openInks(source);
  const conversion = picture?.profile ? tableConversion(picture.profile) : null;
  if (!picture || conversion?.inputs !== INKS) return [];
  return [
    async () => {
      const { data, width, height } = await picture.decode();
      const shown = Buffer.alloc((data.length / INKS) * COLOURS);
      const sums = new Uint8Array(INKS);
      const convert = remembering(conversion);
      for (let from = 0, to = 0; to < shown.length; from += INKS, to += COLOURS) {
        for (let ink = 0; ink < COLOURS; ink++) sums[ink] = 255 - lightThrough(data, from, ink);
        convert(sums, 0, shown, to);
      }
      const whole: Pixels = { data: shown, width, height, channels: COLOURS };
      return resizePixels(whole, fitLongestEdge(whole, FRAME_EDGE));
    },
  ];
}
