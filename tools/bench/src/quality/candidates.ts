import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { WorkerChild } from '../harness/worker-child';

const run = promisify(execFile);

/** The encoders of the built media-processor. A tool can't import an app, so it loads what the app runs. */
const ENCODERS = resolve(__dirname, '../../../../apps/media-processor/dist/pixels/encoders.js');

interface Encoders {
  encodeAlternative(pipeline: Sharp, ext: 'webp' | 'avif'): Sharp;
}

/** The longest edges of the five sizes, by name (docs/api.md). */
export const EDGES = { xl: 1920, lg: 1280, md: 640, sm: 320, xs: 160 } as const;
export type Size = keyof typeof EDGES;
export const SIZES = Object.keys(EDGES) as Size[];

/** A way to make the five sizes of a photograph. */
export interface Candidate {
  readonly name: string;
  /** Encoded files, by size. */
  make(photograph: string, scratch: string): Promise<Readonly<Record<Size, Buffer>>>;
}

const sizes = async (
  make: (edge: number, size: Size) => Promise<Buffer>,
): Promise<Readonly<Record<Size, Buffer>>> => {
  const made: [Size, Buffer][] = [];
  for (const size of SIZES) made.push([size, await make(EDGES[size], size)]);
  return Object.fromEntries(made) as Record<Size, Buffer>;
};

const resized = (photograph: string, edge: number): Sharp =>
  sharp(photograph, { autoOrient: true }).resize(edge, edge, { fit: 'inside', withoutEnlargement: true });

/** sharp with its defaults for JPEG, at a quality; 80 is its default. */
export const sharpJpeg = (quality: number): Candidate => ({
  name: `sharp’s defaults, JPEG of quality ${quality}`,
  make: (photograph) => sizes((edge) => resized(photograph, edge).jpeg({ quality }).toBuffer()),
});

/** The variants that the built media-processor makes of an upload. */
export const vitrineVariants = (worker: WorkerChild): Candidate => ({
  name: 'Vitrine, JPEG',
  make: async (photograph, scratch) => {
    const folder = join(scratch, 'job');
    await mkdir(folder);
    const file = { path: photograph, kind: 'image', format: 'jpeg', mime: 'image/jpeg', ext: 'jpg' } as const;
    await worker.processFile(file, folder);
    const made = await sizes((_, size) => readFile(join(folder, `${size}.jpg`)));
    await rm(folder, { recursive: true });
    return made;
  },
});

/** The same pictures in another format, as they are made while the machine has nothing else to do. */
export const vitrineAlternatives = (ext: 'webp' | 'avif'): Candidate => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { encodeAlternative } = require(ENCODERS) as Encoders;
  return {
    name: `Vitrine, ${ext === 'avif' ? 'AVIF' : 'WebP'}`,
    make: (photograph) => sizes((edge) => encodeAlternative(resized(photograph, edge), ext).toBuffer()),
  };
};

/**
 * imgproxy's defaults (quality 79 for WebP; quality 63 and speed 8 for AVIF), run by sharp, because there is no package
 * of imgproxy. For JPEG, its defaults are those of sharp.
 */
export const imgproxySettings = (ext: 'webp' | 'avif'): Candidate => ({
  name: `imgproxy’s defaults, ${ext === 'avif' ? 'AVIF' : 'WebP'}`,
  make: (photograph) =>
    sizes((edge) =>
      (ext === 'avif'
        ? resized(photograph, edge).avif({ quality: 63, effort: 1, chromaSubsampling: '4:2:0' })
        : resized(photograph, edge).webp({ quality: 79, effort: 4 })
      ).toBuffer(),
    ),
});

/** A program that writes a JPEG of one size. */
const program = (
  name: string,
  command: (photograph: string, edge: number, output: string) => readonly [string, ...string[]],
): Candidate => ({
  name,
  make: (photograph, scratch) =>
    sizes(async (edge) => {
      const output = join(scratch, 'program.jpg');
      const [file, ...args] = command(photograph, edge, output);
      await run(file, args);
      const made = await readFile(output);
      await rm(output);
      return made;
    }),
});

/** Candidates of Debian's libvips-tools and imagemagick, whose default quality is 92 for a source without a known one. */
export const PROGRAMS: readonly Candidate[] = [
  program('vipsthumbnail', (photograph, edge, output) => [
    'vipsthumbnail',
    ...[photograph, '--size', `${edge}x${edge}`, '-o', `${output}[strip]`],
  ]),
  program('ImageMagick', (photograph, edge, output) => [
    'convert-im6.q16',
    ...[photograph, '-auto-orient', '-strip', '-resize', `${edge}x${edge}>`, output],
  ]),
];
