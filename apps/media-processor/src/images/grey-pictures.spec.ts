import { readFile } from 'node:fs/promises';
import { describeWithFfmpeg } from '@vitrine/testing';
import sharp from 'sharp';
import { greyProfileOf, patchesOf, type Triple } from '../../test/samples/colours';
import { makeHeic, makeHeif, tilesOfAvif } from '../../test/samples/heic';
import { ImageBench } from '../../test/samples/image-bench';
import { FEW_PICTURES } from '../../test/samples/hevc';

describeWithFfmpeg('the greys of a picture', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  const xsPatches = async (file: Buffer, format: string, options = {}): Promise<Triple[]> =>
    patchesOf(await (await bench.process(file, { format, ...options })).read('xs'));

  /** A grey of 60 % and 8 or 10 bits. */
  const greyAvif = async (options: {
    readonly pixels: 'gray' | 'gray10le';
    readonly range: 'tv' | 'pc';
    readonly profile?: Buffer;
    readonly isTagged?: boolean;
  }): Promise<Buffer> => {
    const path = bench.files.make(
      'grey.mp4',
      // 153, and as a luma of limited range 147.
      ...['-f', 'lavfi', '-i', `color=0x${options.range === 'pc' ? '999999' : '939393'}:s=192x128`],
      ...['-frames:v', '1', '-vf', `format=gray,format=${options.pixels}`],
      ...['-c:v', 'libaom-av1', '-crf', '4', '-cpu-used', '8', '-color_range', options.range],
    );
    const { profile, range, isTagged } = options;
    return makeHeif(tilesOfAvif(await readFile(path), { tileWidth: 192, tileHeight: 128 }), {
      ...{ width: 192, height: 128 },
      ...(profile ? { profile } : {}),
      ...(isTagged ? { nclx: [1, 13, 6, range === 'pc' ? 1 : 0] } : {}),
    });
  };
  /** A sequence of two equal frames. */
  const greySequence = async (picture: string, range: 'tv' | 'pc'): Promise<Buffer> => {
    const path = bench.files.make(
      'grey-sequence.mp4',
      ...['-f', 'lavfi', '-i', `color=0x939393:s=192x128:r=2:d=1`, '-vf', `format=gray,geq=lum=${picture}`],
      ...['-c:v', 'libaom-av1', '-crf', '4', '-cpu-used', '8', '-color_range', range],
    );
    const sequence = await readFile(path);
    // A track of pictures.
    sequence.write('pict', sequence.indexOf('\0\0\0\0vide') + 4, 'latin1');
    return sequence;
  };

  it('are the same in a sequence', async () => {
    const [[grey = 0] = []] = await xsPatches(await greySequence('147', 'tv'), 'avif', { frames: 2 });
    expect(Math.abs(grey - 153)).toBeLessThanOrEqual(1);
  });

  it('are judged as browsers show a sequence too, which take a full range for a limited one', async () => {
    // A step that both ranges have, from black to white in the limited one.
    const sequence = await greySequence(`'if(lt(X,96),16,235)'`, 'pc');
    const made = await bench.process(sequence, { format: 'avif', frames: 2 });
    const files = [
      await made.read('xl'),
      ...(await Promise.all(made.frames.map((key) => made.readKey(key)))),
    ];
    const ends = await Promise.all(
      files.map(async (file) => {
        const [channel] = (await sharp(file).stats()).channels;
        return [channel?.min ?? NaN, channel?.max ?? NaN];
      }),
    );
    const near = ([min = NaN, max = NaN]: number[]): string =>
      Math.abs(min - 16) < 5 && Math.abs(max - 235) < 5
        ? 'full'
        : min < 5 && max > 250
          ? 'limited'
          : `${min} to ${max}`;
    expect(ends.map(near)).toEqual(['full', 'full', 'limited']);
  });

  it('are the same in a HEIC', async () => {
    const path = bench.files.make(
      'grey-hevc.mp4',
      ...['-f', 'lavfi', '-i', 'color=0x939393:s=192x128', '-frames:v', '1', '-vf', 'format=gray'],
      ...['-c:v', 'libx265', '-x265-params', `crf=4:${FEW_PICTURES}:info=0`, '-tag:v', 'hvc1'],
    );
    const file = makeHeic(await readFile(path), { width: 192, height: 128, nclx: [1, 13, 6, 0] });
    const [[grey = 0] = []] = await xsPatches(file, 'heic');
    expect(Math.abs(grey - 153)).toBeLessThanOrEqual(1);
  });

  const shown = async (file: Buffer): Promise<Triple | undefined> => (await xsPatches(file, 'avif'))[0];

  it.each([
    ['8 bits and full range', { pixels: 'gray', range: 'pc' }],
    ['8 bits and limited range', { pixels: 'gray', range: 'tv' }],
    ['10 bits and limited range', { pixels: 'gray10le', range: 'tv' }],
    ['limited range by its boxes', { pixels: 'gray', range: 'tv', isTagged: true }],
  ] as const)('are the same for %s', async (_, options) => {
    const [grey = 0] = (await shown(await greyAvif(options))) ?? [];
    expect(Math.abs(grey - 153)).toBeLessThanOrEqual(1);
  });

  it('are those of the profile of an AVIF, at every size', async () => {
    const file = await greyAvif({ pixels: 'gray', range: 'tv', profile: greyProfileOf(1.8) });
    const meant = 255 * (1.055 * ((153 / 255) ** 1.8) ** (1 / 2.4) - 0.055);
    const made = await bench.process(file, { format: 'avif' });
    for (const size of ['xs', 'xl'] as const) {
      const [[grey = 0] = []] = await patchesOf(await made.read(size));
      expect(Math.abs(grey - meant)).toBeLessThanOrEqual(2);
    }
  });
});
