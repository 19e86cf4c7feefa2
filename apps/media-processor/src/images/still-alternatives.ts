import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALTERNATIVE_EXTENSIONS, type AlternativeSource, objectKeys, savesEnough } from '@vitrine/contracts';
import { failureReason, refuseOnFailure, UnprocessableFileError } from '../failures/failures';
import { type JobResult, type MadeFile, type MediaJob, NOTHING_MADE } from '../jobs/protocol';
import { encodeAlternative } from '../pixels/encoders';
import { resizePixels } from '../pixels/pixels';
import { decodeFor, withGamut } from './decode-still';
import { openSource } from './image-source';

/**
 * Makes sizes of a still picture in WebP and AVIF too, with the pixels of their JPEGs; keeps only the files that save
 * enough bytes. Wide gamuts stay, unlike in the JPEGs. The picture is decoded once, and each size is made from the
 * next larger one. Writes the files into the job's folder. Throws as `ImageProcessor.process`.
 */
export async function makeAlternatives(
  job: MediaJob,
  sizes: readonly AlternativeSource[],
): Promise<JobResult> {
  const source = await openSource(job);
  if (source.timing) throw new UnprocessableFileError(failureReason.unsupported, 'It is an animation');
  const [largest, ...smaller] = [...sizes].sort(
    (one, other) => other.width * other.height - one.width * one.height,
  );
  if (!largest) return { ...NOTHING_MADE, files: [], width: source.width, height: source.height };
  const first = await refuseOnFailure(() => decodeFor('avif', source, largest));
  const files: MadeFile[] = [];
  let { pixels } = first;
  for (const variant of [largest, ...smaller]) {
    const { width, height } = variant;
    pixels = await resizePixels(pixels, { width, height });
    for (const ext of ALTERNATIVE_EXTENSIONS) {
      // A JPEG has no alpha, so neither has its copy.
      const still = withGamut({ pixels, profile: first.profile }).removeAlpha();
      const bytes = await encodeAlternative(still, ext).toBuffer();
      if (!savesEnough(bytes.length, variant)) continue;
      const file = `${files.length}.${ext}`;
      await writeFile(join(job.folder, file), bytes);
      files.push({ file, key: objectKeys.alternative(variant.key, ext) });
    }
  }
  return { ...NOTHING_MADE, files, width: source.width, height: source.height };
}
