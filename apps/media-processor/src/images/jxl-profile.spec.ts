import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describeWithFfmpeg } from '@vitrine/testing';
import {
  ADOBE_RGB,
  codedPatches,
  inSpace,
  meanDeltaE,
  PATCHES,
  patchesOf,
  patchPicture,
  profileOf,
  SAME,
} from '../../test/samples/colours';
import { ImageBench } from '../../test/samples/image-bench';
import { pngChunk } from './png/png-chunks';

const PNG_HEADER_END = 33;

describeWithFfmpeg('ImageProcessor', () => {
  it('converts a lossy JPEG XL with a profile of another gamut to sRGB', async () => {
    const bench = await ImageBench.open();
    try {
      const picture = await patchPicture(codedPatches(inSpace(ADOBE_RGB)))
        .png()
        .toBuffer();
      const profile = Buffer.concat([Buffer.from('p\0\0'), deflateSync(profileOf(ADOBE_RGB))]);
      const parts = [
        picture.subarray(0, PNG_HEADER_END),
        pngChunk('iCCP', profile),
        picture.subarray(PNG_HEADER_END),
      ];
      const png = join(bench.files.folder, 'adobe.png');
      await writeFile(png, Buffer.concat(parts));
      const path = bench.files.make('adobe.jxl', '-i', png, '-c:v', 'libjxl', '-distance', '0.5');
      const made = await bench.process(await readFile(path), { format: 'jxl' });
      expect(meanDeltaE(await patchesOf(await made.read('xs')), PATCHES)).toBeLessThan(SAME);
    } finally {
      await bench.close();
    }
  });
});
