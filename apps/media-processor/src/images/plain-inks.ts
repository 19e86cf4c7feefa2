import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE } from '../perception/perceive';
import { openStill } from '../pixels/open-image';
import type { Pixels } from '../pixels/pixels';

const INKS = 4;
const BLACK = 3;

/**
 * What browsers show of a JPEG in CMYK without a profile: each ink takes away its part of the light of one colour, and
 * black of all of them. libvips takes such a picture for one of a printing condition, in which two mixtures of inks can
 * look the same that differ in browsers. Empty for any other picture.
 */
export async function picturesOfPlainInks({ source }: MediaJob): Promise<(() => Promise<Pixels>)[]> {
  const { space, icc } = await openStill(source).metadata();
  return space === 'cmyk' && icc === undefined ? [() => decode(source)] : [];
}

async function decode(source: string): Promise<Pixels> {
  const { data, info } = await openStill(source)
    .pipelineColourspace('cmyk')
    .resize(FRAME_EDGE, FRAME_EDGE, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('cmyk')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const shown = Buffer.alloc(width * height * BLACK);
  for (let at = 0; at < shown.length; at++) {
    const pixel = Math.floor(at / BLACK) * INKS;
    const light = 255 - (data[pixel + BLACK] ?? 0);
    shown[at] = Math.round(((255 - (data[pixel + (at % BLACK)] ?? 0)) * light) / 255);
  }
  return { data: shown, width, height, channels: 3 };
}
