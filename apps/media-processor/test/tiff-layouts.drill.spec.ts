import { UnsupportedVariantError } from '@vitrine/formats';
import { refuseOnFailure } from '../src/failures/failures';
import { decodeFor } from '../src/images/decode-still';
import { openSource } from '../src/images/image-source';
import { restrictLoaders } from '../src/pixels/open-image';
import { Bench } from './samples/jobs';
import { stored } from './samples/stored';
import { type TiffLayout, tiffOf } from './samples/tiff-layout';

const PHOTOMETRICS = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 32844, 32845];
/** Each of them has some hundred layouts; this many at least can be shown. */
const SHOWN: Readonly<Record<number, number>> = { 0: 100, 1: 100, 2: 50, 3: 40, 5: 20, 6: 6, 8: 10 };

function* layoutsOf(photometric: number): Generator<TiffLayout> {
  for (const bits of [1, 2, 4, 8, 10, 12, 16, 32, 64])
    for (const channels of [1, 2, 3, 4, 5, 6])
      for (const planes of [1, 2] as const)
        for (const isTiled of [false, true])
          for (const format of [1, 2, 3, 4]) yield { photometric, bits, channels, planes, isTiled, format };
}

describe('TIFF', () => {
  let bench: Bench;
  beforeAll(async () => {
    restrictLoaders();
    bench = await Bench.open();
  });
  afterAll(() => bench.close());

  /** Null if the upload is refused by name; else whether the served original can be decoded. */
  async function isDecoded(file: Buffer): Promise<boolean | null> {
    try {
      const { served } = await stored(file);
      const opened = await openSource(await bench.job(served, { format: 'tiff' }));
      const { pixels } = await refuseOnFailure(() => decodeFor('png', opened, opened));
      return pixels.width === 16 && pixels.height === 16;
    } catch (error) {
      return error instanceof UnsupportedVariantError ? null : false;
    }
  }

  it.each(PHOTOMETRICS)(
    'with the photometric interpretation %d is decoded, or refused at upload',
    async (photometric) => {
      const layouts = [...layoutsOf(photometric)];
      const results: (boolean | null)[] = [];
      for (const layout of layouts) results.push(await isDecoded(tiffOf(layout)));
      expect(layouts.filter((_, at) => results[at] === false)).toEqual([]);
      expect(results.filter(Boolean).length).toBeGreaterThanOrEqual(SHOWN[photometric] ?? 0);
    },
  );
});
