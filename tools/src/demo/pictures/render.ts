import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { Random } from '../../random/random';
import type { Canvas, Painter } from './drawing';
import type { PixelPainter } from './fractals';
import type { FramePainter } from './movies';
import { PALETTES, type PaletteName } from './palettes';

const run = promisify(execFile);

interface Look {
  readonly palette: PaletteName;
  readonly width: number;
  readonly height: number;
  /** The same seed makes the same picture. */
  readonly seed: number;
}

/** A picture to paint. */
export type Sketch = Look &
  (
    | { readonly format: 'jpg' | 'png' | 'webp'; readonly paint: Painter }
    | { readonly format: 'jpg' | 'png' | 'webp'; readonly pixels: PixelPainter }
    | { readonly format: 'gif' | 'webp' | 'mp4'; readonly frames: FramePainter }
  );

/** A finished file with the facts that the intake would determine. */
export interface RenderedFile {
  readonly bytes: Buffer;
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly mime: string;
  readonly ext: string;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
  /** Seconds; videos only. */
  readonly duration: number | null;
}

const TYPES = {
  jpg: { kind: 'image', format: 'jpeg', mime: 'image/jpeg' },
  png: { kind: 'image', format: 'png', mime: 'image/png' },
  webp: { kind: 'image', format: 'webp', mime: 'image/webp' },
  gif: { kind: 'image', format: 'gif', mime: 'image/gif' },
  mp4: { kind: 'video', format: 'mp4', mime: 'video/mp4' },
} as const;

const FRAMES = 24;
const FRAME_MS = 60;
const CLIP_FRAMES_PER_SECOND = 24;
/** How often a clip repeats its loop. */
const CLIP_LOOPS = 5;

/** Paints one picture, animation or clip. `ffmpeg` is used only for clips. */
export async function render(sketch: Sketch, ffmpeg: string): Promise<RenderedFile> {
  const { format, width, height, palette, seed } = sketch;
  const canvas = (): Canvas => ({ width, height, palette: PALETTES[palette], random: new Random(seed) });
  const common = { ...TYPES[format], ext: format, width, height };
  if ('frames' in sketch) {
    const pictures = await Promise.all(
      Array.from({ length: FRAMES }, (_, i) =>
        rasterize(sketch.frames(canvas(), i, FRAMES))
          .png()
          .toBuffer(),
      ),
    );
    if (format === 'mp4') {
      const duration = (FRAMES * CLIP_LOOPS) / CLIP_FRAMES_PER_SECOND;
      return { ...common, bytes: await clip(pictures, ffmpeg), frames: 1, duration };
    }
    const joined = sharp(pictures, { join: { animated: true } });
    const look = { delay: FRAME_MS, loop: 0 };
    const bytes =
      format === 'gif'
        ? joined.gif({ ...look, effort: 3 })
        : joined.webp({ ...look, quality: 80, effort: 2 });
    return { ...common, bytes: await bytes.toBuffer(), frames: FRAMES, duration: null };
  }
  const image =
    'pixels' in sketch
      ? sharp(sketch.pixels(canvas()), { raw: { width, height, channels: 3 } })
      : rasterize(sketch.paint(canvas()));
  const bytes = await encoded(image, sketch.format).toBuffer();
  return { ...common, bytes, frames: 1, duration: null };
}

function encoded(image: sharp.Sharp, format: 'jpg' | 'png' | 'webp'): sharp.Sharp {
  switch (format) {
    case 'jpg':
      return image.jpeg({ quality: 88 });
    case 'png':
      return image.png({ palette: true });
    case 'webp':
      return image.webp({ quality: 86, effort: 3 });
  }
}

const rasterize = (drawing: string): sharp.Sharp => sharp(Buffer.from(drawing)).removeAlpha();

/** H.264 in MP4, ready to stream, without metadata about the software. */
async function clip(pictures: readonly Buffer[], ffmpeg: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-demo-'));
  try {
    await Promise.all(pictures.map((png, i) => writeFile(join(folder, `${i}.png`), png)));
    const file = join(folder, 'clip.mp4');
    await run(ffmpeg, [
      ...['-v', 'error', '-nostdin', '-y', '-stream_loop', String(CLIP_LOOPS - 1)],
      ...['-framerate', String(CLIP_FRAMES_PER_SECOND), '-i', join(folder, '%d.png')],
      ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'veryfast', '-movflags', '+faststart'],
      ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact', file],
    ]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether there is an ffmpeg that can make clips. */
export async function canMakeClips(ffmpeg: string): Promise<boolean> {
  try {
    const { stdout } = await run(ffmpeg, ['-hide_banner', '-encoders']);
    return stdout.includes('libx264');
  } catch {
    return false;
  }
}
