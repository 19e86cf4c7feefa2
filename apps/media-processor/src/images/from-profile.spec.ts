import { deflateSync } from 'node:zlib';
import { codedPatches, PATCHES, patchesOf, patchPicture, type Triple } from '../../test/samples/colours';
import { ImageBench } from '../../test/samples/image-bench';
import { stored } from '../../test/samples/stored';
import { xyb, xybProfile } from '../../test/samples/xyb';
import { pngChunk } from './png/png-chunks';

const PNG_HEADER_END = 33;
/** Little CMS makes the first two reddish. */
const COLOURS: readonly Triple[] = [[0, 0, 0], [0, 60, 150], ...PATCHES.slice(2)];

describe('a picture in XYB', () => {
  let bench: ImageBench;
  beforeAll(async () => {
    bench = await ImageBench.open();
  });
  afterAll(() => bench.close());

  it('has its colours in every size, as it was sent and as it is served', async () => {
    const plain = await patchPicture(codedPatches(xyb, COLOURS)).png().toBuffer();
    const profile = Buffer.concat([Buffer.from('p\0\0'), deflateSync(xybProfile())]);
    const [head, rest] = [plain.subarray(0, PNG_HEADER_END), plain.subarray(PNG_HEADER_END)];
    const sent = Buffer.concat([head, pngChunk('iCCP', profile), rest]);
    const { served } = await stored(sent);
    for (const file of [sent, served]) {
      const made = await bench.process(file, { format: 'png' });
      for (const [at, patch] of (await patchesOf(await made.read('xs'))).entries())
        for (const [channel, value] of patch.entries())
          expect(Math.abs(value - (COLOURS[at]?.[channel] ?? 0))).toBeLessThanOrEqual(3);
    }
  });
});
