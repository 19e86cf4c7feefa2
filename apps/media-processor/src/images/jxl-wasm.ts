import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { JxlImage } from 'jxl-oxide-wasm';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { openStill } from '../pixels/open-image';
import { MAX_PIXELS } from '../pixels/pixel-limits';
import { toPixels } from '../pixels/pixels';
import { wrapInTiff } from './tiff-wrapper';

/** Pixels that are decoded at a time. The decoder needs about 40 bytes for each. */
const STRIP_PIXELS = 6_000_000;

type Decoder = typeof import('jxl-oxide-wasm');
let decoder: Decoder | undefined;

/**
 * Decodes the first picture of a JPEG XL in WebAssembly, upright and in sRGB (the decoder tone-maps HDR), to an
 * uncompressed 8-bit TIFF. Decodes strip by strip to limit the memory. Throws `UnprocessableFileError`.
 */
export async function decodeJxlInWasm(path: string): Promise<Buffer> {
  const { JxlImage } = (decoder ??= loadDecoder());
  try {
    const image = new JxlImage();
    image.forceSrgb = true;
    image.feedBytes(await readFile(path));
    image.tryInit();
    const { width, height } = image;
    if (width === undefined || height === undefined) throw new UnprocessableFileError(failureReason.image);
    if (width * height > MAX_PIXELS) throw new UnprocessableFileError(failureReason.pixels);
    const tiff = await assemble(image, { width, height });
    image.free();
    return tiff;
  } catch (error) {
    // An instance that has trapped can't be used again.
    decoder = undefined;
    throw error instanceof UnprocessableFileError
      ? error
      : new UnprocessableFileError(failureReason.image, String(error));
  }
}

async function assemble(
  image: JxlImage,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  let whole: { tiff: Buffer; pixels: Buffer } | undefined;
  for (let top = 0; top < height; top += rows) {
    image.renderingRegion = { left: 0, top, width, height: Math.min(rows, height - top) };
    const png = Buffer.from(image.render(0).encodeToPng());
    const { data, channels } = await toPixels(openStill(png));
    whole ??= wrapInTiff({ width, height, channels: channels % 2 === 0 ? 4 : 3, depth: 8 });
    copyStrip(whole.pixels, top * width, data, channels);
  }
  if (!whole) throw new UnprocessableFileError(failureReason.noPicture);
  return whole.tiff;
}

/** Copies the pixels of a strip to their position. Grey becomes three equal channels. */
function copyStrip(target: Buffer, pixel: number, strip: Buffer, channels: number): void {
  if (channels >= 3) {
    strip.copy(target, pixel * channels);
    return;
  }
  const wide = channels + 2;
  for (let from = 0, to = pixel * wide; from < strip.length; from += channels, to += wide) {
    target.fill(strip[from] ?? 0, to, to + 3);
    if (channels === 2) target[to + 3] = strip[from + 1] ?? 0;
  }
}

/** The package is an ES module for bundlers, so it is loaded by its path, and its WebAssembly is passed to it. */
function loadDecoder(): Decoder {
  const load = createRequire(__filename);
  const folder = dirname(load.resolve('jxl-oxide-wasm/package.json'));
  const loaded = load(join(folder, 'jxl_oxide_wasm.js')) as Decoder;
  loaded.initSync({ module: readFileSync(join(folder, 'jxl_oxide_wasm_bg.wasm')) });
  return loaded;
}
