import fc from 'fast-check';
import sharp from 'sharp';
import { UnreadableFileError, UnsupportedFormatError } from '../errors/file-errors';
import { sniff, SNIFF_BYTES } from '../sniffing/sniff';
import { CANARY, scrub as scrubWith } from '../testing/scrub';
import { imageSamples, type ImageSample } from '../testing/image-samples';
import { imageInspectors } from './inspectors';

function scrub(sample: ImageSample, bytes: Uint8Array): ReturnType<typeof scrubWith> {
  return scrubWith(imageInspectors[sample.format], bytes);
}

/** Every picture of the file as raw stored pixels. */
async function pixels(
  bytes: Uint8Array,
): Promise<{ data: Buffer; icc: Buffer | undefined; orientation: unknown }> {
  const image = sharp(bytes, { animated: true });
  const { icc, orientation } = await image.metadata();
  return { data: await image.raw().toBuffer(), icc, orientation: orientation ?? 1 };
}

/** Samples that sharp can decode; the other samples hold no pixels. */
const DECODED = ['JPEG', 'PNG', 'GIF', 'WebP', 'AVIF', 'TIFF'];
const UNDECODED = ['AVIF sequence', 'JPEG XL'];

describe('scrubbing', () => {
  let samples: ImageSample[];

  beforeAll(async () => {
    samples = await imageSamples();
  });

  const names = [
    ...['baseline JPEG', 'progressive JPEG', 'PNG', 'APNG', 'GIF', 'animated GIF', 'WebP', 'simple WebP'],
    ...[
      'lossless WebP',
      'animated WebP',
      'AVIF',
      'AVIF sequence',
      'HEIC',
      'bare JPEG XL',
      'JPEG XL in its container',
    ],
    ...['JPEG XL in parts', 'TIFF', 'tiled TIFF', 'TIFF of JPEG strips', 'BigTIFF', 'BMP', 'SVG'],
  ];
  const sampleOf = (name: string): ImageSample => {
    const sample = samples.find((candidate) => candidate.name === name);
    if (!sample) throw new Error(`There is no sample ${name}.`);
    return sample;
  };

  it('is tested on every sample', () => {
    expect(names).toEqual(samples.map(({ name }) => name));
  });

  describe.each(names)('of %s', (name) => {
    it('reads the facts', async () => {
      const sample = sampleOf(name);
      expect(sniff(sample.bytes.subarray(0, SNIFF_BYTES))).toBe(sample.format);
      const { facts } = await scrub(sample, sample.bytes);
      const { format, width, height, frames } = sample;
      expect(facts).toMatchObject({ format, width, height, frames, kind: 'image', duration: null });
    });

    // Promise [formats]: Served files contain no metadata about people, places and devices.
    it('leaves no metadata, and changes nothing the second time', async () => {
      const sample = sampleOf(name);
      const first = await scrub(sample, sample.bytes);
      expect(Buffer.from(first.scrubbed).toString('latin1')).not.toContain(CANARY.slice(0, 6));
      const second = await scrub(sample, first.scrubbed);
      expect(second.rewrite).toBeNull();
      expect(second.facts).toEqual(first.facts);
    });

    if (DECODED.some((kind) => name.includes(kind)) && !UNDECODED.some((kind) => name.includes(kind))) {
      // Promise [formats]: Removing metadata changes no pixel, and keeps the orientation.
      it('keeps pixels, profile and orientation', async () => {
        const sample = sampleOf(name);
        const { scrubbed } = await scrub(sample, sample.bytes);
        expect(await pixels(scrubbed)).toEqual(await pixels(sample.bytes));
      });
    }

    it('ends with a result or one of two errors for any damage', async () => {
      const sample = sampleOf(name);
      const cut = fc.integer({ min: 0, max: sample.bytes.length });
      const change = fc.record({
        at: fc.integer({ min: 0, max: sample.bytes.length - 1 }),
        to: fc.integer({ min: 0, max: 255 }),
      });
      await fc.assert(
        fc.asyncProperty(
          cut,
          fc.array(change, { maxLength: 12 }),
          fc.boolean(),
          async (end, changes, isCut) => {
            const bytes = sample.bytes.slice(0, isCut ? end : undefined);
            for (const { at, to } of changes) if (at < bytes.length) bytes[at] = to;
            try {
              const first = await scrub(sample, bytes);
              const again = await scrub(sample, first.scrubbed);
              expect(again.rewrite).toBeNull();
              expect(again.facts).toEqual(first.facts);
            } catch (error) {
              if (!(error instanceof UnreadableFileError) && !(error instanceof UnsupportedFormatError))
                throw error;
            }
          },
        ),
        { numRuns: 150 },
      );
    });
  });
});
