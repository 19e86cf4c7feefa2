import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MemorySource, readUncroppedHeif } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE } from '../perception/perceive';
import type { Pixels } from '../pixels/pixels';
import { fitLongestEdge } from '../pixels/variant-plan';
import { decodeFor } from './decode-still';
import { openSource } from './image-source';

/**
 * The still of a HEIC with what its crop leaves out: some programs ignore the crop. An AVIF loses its crop at upload. Upright
 * and in sRGB, with a longest edge of 512 pixels at most. Empty if the still isn't cropped.
 */
export async function uncroppedStill(job: MediaJob): Promise<(() => Promise<Pixels>)[]> {
  const file = await readUncroppedHeif(new MemorySource(await readFile(job.source)));
  if (!file) return [];
  const path = join(job.folder, 'uncropped');
  await writeFile(path, file);
  return [
    async () => {
      const source = await openSource({ ...job, source: path, media: { ...job.media, frames: 1 } });
      return (await decodeFor('jpg', source, fitLongestEdge(source, FRAME_EDGE))).pixels;
    },
  ];
}
