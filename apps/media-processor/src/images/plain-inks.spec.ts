import sharp from 'sharp';
import { patchesOf, PATCHES_SIZE, type Triple } from '../../test/samples/colours';
import { ImageBench } from '../../test/samples/image-bench';

type Inks = readonly [cyan: number, magenta: number, yellow: number, black: number];

/** Two mixtures that libvips would convert to nearly the same grey. */
const BLACK_ALONE: Inks = [0, 0, 0, 151];
const WITHOUT_BLACK: Inks = [144, 120, 124, 0];

/** Six patches of inks as a JPEG without a profile. */
async function inkPatches(patches: readonly Inks[]): Promise<Buffer> {
  const { width, height } = PATCHES_SIZE;
  const canvas = sharp({ create: { width, height, channels: 3, background: '#808080' } });
  const tiff = await canvas.toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer();
  // libvips writes the pixels behind the header of 8 bytes.
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [column, row] = [pixel % width, Math.floor(pixel / width)];
    const patch = Math.floor((column * 3) / width) + 3 * Math.floor((row * 2) / height);
    tiff.set(patches[patch] ?? BLACK_ALONE, 8 + pixel * 4);
  }
  const stored = sharp(tiff).pipelineColourspace('cmyk').toColourspace('cmyk');
  return stored.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
}

describe('a JPEG in CMYK', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  /** The patches of each picture that is judged. */
  const judged = async (file: Buffer): Promise<Triple[][]> => {
    const made = await bench.process(file, { format: 'jpeg', ext: 'jpg' });
    return Promise.all(made.frames.map(async (key) => patchesOf(await made.readKey(key))));
  };

  // Promise [formats]: CMYK without a profile looks as in Chromium.
  it('is judged, and shown in all sizes, as browsers show it, if it has no profile', async () => {
    const hidden = [BLACK_ALONE, WITHOUT_BLACK, WITHOUT_BLACK, BLACK_ALONE, BLACK_ALONE, WITHOUT_BLACK];
    const file = await inkPatches(hidden);
    const [shown = [], ...others] = await judged(file);
    const { read } = await bench.process(file, { format: 'jpeg', ext: 'jpg' });
    shown.push(...(await patchesOf(await read('xs'))));
    // The values that Chromium shows are (255 - ink) × (255 - black) / 255.
    shown.forEach((patch, at) => {
      const expected = hidden[at % hidden.length] === BLACK_ALONE ? [104, 104, 104] : [111, 135, 131];
      patch.forEach((value, channel) => expect(Math.abs(value - (expected[channel] ?? 0))).toBeLessThan(6));
    });
    expect(shown).toHaveLength(12);
    expect(others).toEqual([]);
  });

  it('is judged once if it has a profile, which browsers apply', async () => {
    const picture = sharp(await inkPatches([BLACK_ALONE, WITHOUT_BLACK])).withIccProfile('cmyk');
    expect(await judged(await picture.jpeg().toBuffer())).toHaveLength(1);
  });
});
