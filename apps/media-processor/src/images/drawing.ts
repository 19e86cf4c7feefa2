import { readFile } from 'node:fs/promises';
import { drawSvg, hasFixedSize, inspect, MemorySource, readRewritten } from '@vitrine/formats';
import type { Sharp } from 'sharp';
import { refuseOnFailure } from '../failures/failures';
import { openStill } from '../pixels/open-image';
import { fromPixels, toPixelsWithin } from '../pixels/pixels';
import type { Dimensions } from '../pixels/variant-plan';

/** An SVG in the form that uploads write. */
export interface Drawing extends Dimensions {
  readonly svg: string;
  /** Whether it names no size, so that it is drawn at the edge of each size. */
  readonly isScalable: boolean;
}

/** Edge of the pictures in a drawing; larger ones are reduced. */
const MAX_PICTURE_EDGE = 2048;

/**
 * Reads an SVG, and writes it again like an upload, which changes nothing unless it was stored by another way. Its pictures
 * become PNGs in sRGB, which resvg draws whatever their format was. Throws `UnprocessableFileError`.
 */
export async function openDrawing(path: string): Promise<Drawing> {
  return refuseOnFailure(async () => {
    const source = new MemorySource(await readFile(path));
    const { facts, rewrite } = await inspect(source);
    const svg = new TextDecoder().decode(await readRewritten(source, rewrite));
    const { width, height } = facts;
    return { svg: await withPngs(svg), isScalable: !hasFixedSize(svg), width, height };
  });
}

/** Draws an SVG with resvg at exactly these dimensions. */
export const draw = async ({ svg }: Drawing, { width, height }: Dimensions): Promise<Sharp> =>
  openStill(Buffer.from(await drawSvg(svg, width))).resize(width, height, { fit: 'fill' });

async function withPngs(svg: string): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of svg.matchAll(/data:image\/(svg\+xml|png|jpeg|webp|gif);base64,([A-Za-z0-9+/=]*)/g)) {
    const [link, type, data = ''] = match;
    const bytes = Buffer.from(data, 'base64');
    const png =
      type === 'svg+xml'
        ? Buffer.from(await withPngs(bytes.toString('utf8')))
        : await fromPixels(await toPixelsWithin(openStill(bytes), MAX_PICTURE_EDGE))
            .png({ compressionLevel: 1 })
            .toBuffer();
    parts.push(
      svg.slice(end, match.index),
      `data:image/${type === 'svg+xml' ? type : 'png'};base64,`,
      png.toString('base64'),
    );
    end = match.index + link.length;
  }
  return parts.length === 0 ? svg : [...parts, svg.slice(end)].join('');
}
