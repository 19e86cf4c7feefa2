import { type Orientation, readOrientation } from '@vitrine/formats';
import type { SharpOptions } from 'sharp';
import { failureReason, UnprocessableFileError } from '../../failures/failures';
import { openStill } from '../../pixels/open-image';
import { toPixels } from '../../pixels/pixels';
import type { Dimensions } from '../../pixels/variant-plan';
import { PNG_SIGNATURE, pngChunk, pngChunks } from './png-chunks';

const MAX_FRAMES = 10_000;

/** One `fcTL` of an animated PNG (https://www.w3.org/TR/png-3/#fcTL-chunk) and the picture data after it. */
interface ApngFrame extends Dimensions {
  readonly left: number;
  readonly top: number;
  /** Milliseconds. */
  readonly delay: number;
  readonly dispose: 'keep' | 'clear' | 'restore';
  readonly blend: boolean;
  readonly data: Buffer[];
}

export interface Apng extends Dimensions {
  /** Number of times to play; 0 to repeat without end. */
  readonly loop: number;
  readonly frames: readonly ApngFrame[];
  /** Chunks that define how pixels are read: palette, transparency, colour space. */
  readonly preamble: readonly Buffer[];
  /** How to turn the canvas, which is the same for all frames. */
  readonly orientation: Orientation;
  readonly header: Buffer;
}

/**
 * Reads the frames of an animated PNG without decoding them; null if the PNG is a still. upload-service has made stills of
 * animations that are not valid. Throws if it is damaged.
 */
export function readApng(file: Buffer): Apng | null {
  const preamble: Buffer[] = [];
  const frames: ApngFrame[] = [];
  let header: Buffer | undefined;
  let loop: number | undefined;
  let pictureBegan = false;
  let orientation: Orientation = 1;
  for (const { type, body, whole } of pngChunks(file)) {
    const current = frames.at(-1);
    if (type === 'IHDR') header = body;
    else if (type === 'acTL') loop = body.readUInt32BE(4);
    else if (type === 'fcTL') frames.push(readControl(body));
    else if (type === 'IDAT') {
      if (loop === undefined) return null;
      pictureBegan = true;
      // Without an fcTL before it, the default picture is no part of the animation.
      current?.data.push(body);
    } else if (type === 'fdAT') current?.data.push(body.subarray(4));
    else if (type === 'eXIf') orientation = readOrientation(body);
    else if (!pictureBegan) preamble.push(whole);
    if (frames.length > MAX_FRAMES) throw new UnprocessableFileError(failureReason.pixels);
  }
  const shown = frames.filter(({ data }) => data.length > 0);
  if (!header || loop === undefined || shown.length === 0) return null;
  const canvas = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  if (!shown.every((frame) => isWithin(frame, canvas))) {
    throw new UnprocessableFileError(failureReason.image, 'An APNG frame outside of its canvas');
  }
  return { ...canvas, loop, frames: shown, preamble, orientation, header };
}

/** Whether an animated PNG has a default picture that its animation doesn't show. Throws if the PNG is damaged. */
export function hasSeparateDefaultPicture(file: Buffer): boolean {
  let animated = false;
  for (const { type } of pngChunks(file)) {
    if (type === 'acTL') animated = true;
    if (type === 'fcTL') return false;
    if (type === 'IDAT') return animated;
  }
  return false;
}

/**
 * Plays an animated PNG: yields the whole canvas as RGBA after each frame, not turned. With `ignoreIcc`, its values are those of
 * the file. The buffer is the same each time, so use it before you ask for the next frame.
 */
export async function* playApng(
  apng: Apng,
  options: Pick<SharpOptions, 'ignoreIcc'>,
): AsyncGenerator<{ canvas: Buffer; delay: number }> {
  const canvas = Buffer.alloc(apng.width * apng.height * 4);
  for (const [index, frame] of apng.frames.entries()) {
    const before = frame.dispose === 'restore' && index > 0 ? Buffer.from(canvas) : null;
    const { data } = await toPixels(openStill(standalonePng(apng, frame), options).ensureAlpha());
    paint(canvas, apng.width, frame, data);
    yield { canvas, delay: frame.delay };
    if (before) before.copy(canvas);
    else if (frame.dispose !== 'keep') clear(canvas, apng.width, frame);
  }
}

function readControl(body: Buffer): ApngFrame {
  const denominator = body.readUInt16BE(22) || 100;
  return {
    width: body.readUInt32BE(4),
    height: body.readUInt32BE(8),
    left: body.readUInt32BE(12),
    top: body.readUInt32BE(16),
    delay: Math.round((body.readUInt16BE(20) * 1000) / denominator),
    dispose: (['keep', 'clear', 'restore'] as const)[body.readUInt8(24)] ?? 'keep',
    blend: body.readUInt8(25) === 1,
    data: [],
  };
}

const isWithin = (frame: ApngFrame, canvas: Dimensions): boolean =>
  frame.width > 0 &&
  frame.height > 0 &&
  frame.left + frame.width <= canvas.width &&
  frame.top + frame.height <= canvas.height;

/** A frame as a separate PNG file. */
function standalonePng(apng: Apng, frame: ApngFrame): Buffer {
  const header = Buffer.from(apng.header);
  header.writeUInt32BE(frame.width, 0);
  header.writeUInt32BE(frame.height, 4);
  const picture = [
    pngChunk('IHDR', header),
    ...apng.preamble,
    ...frame.data.map((data) => pngChunk('IDAT', data)),
  ];
  return Buffer.concat([PNG_SIGNATURE, ...picture, pngChunk('IEND', Buffer.alloc(0))]);
}

function paint(canvas: Buffer, stride: number, frame: ApngFrame, pixels: Buffer): void {
  for (let row = 0; row < frame.height; row++) {
    const from = row * frame.width * 4;
    const to = ((frame.top + row) * stride + frame.left) * 4;
    if (frame.blend) blendRow(canvas, to, pixels, from, frame.width);
    else pixels.copy(canvas, to, from, from + frame.width * 4);
  }
}

/** Source over destination, neither premultiplied (PNG specification, 13.16). */
function blendRow(canvas: Buffer, to: number, pixels: Buffer, from: number, width: number): void {
  for (let x = 0; x < width; x++, to += 4, from += 4) {
    const over = (pixels[from + 3] ?? 0) / 255;
    if (over === 0) continue;
    const under = ((canvas[to + 3] ?? 0) / 255) * (1 - over);
    const alpha = over + under;
    for (let channel = 0; channel < 3; channel++) {
      const mixed = (pixels[from + channel] ?? 0) * over + (canvas[to + channel] ?? 0) * under;
      canvas[to + channel] = Math.round(mixed / alpha);
    }
    canvas[to + 3] = Math.round(alpha * 255);
  }
}

function clear(canvas: Buffer, stride: number, frame: ApngFrame): void {
  for (let row = frame.top; row < frame.top + frame.height; row++) {
    const from = (row * stride + frame.left) * 4;
    canvas.fill(0, from, from + frame.width * 4);
  }
}
