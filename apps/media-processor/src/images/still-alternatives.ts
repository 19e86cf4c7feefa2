import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALTERNATIVE_EXTENSIONS, type AlternativeSource, objectKeys, savesEnough } from '@vitrine/contracts';
import { failureReason, refuseOnFailure, UnprocessableFileError } from '../failures/failures';
import { type JobResult, type MadeFile, type MediaJob, NOTHING_MADE } from '../jobs/protocol';
import { encodeAlternative, encodeLossless } from '../pixels/encoders';
import { isTranslucent, resizePixels } from '../pixels/pixels';
import { decodeFor, withGamut } from './decode-still';
import { openSource } from './image-source';
import type { Sharp } from 'sharp';

/** Bytes for each pixel of a picture without losses, beyond which it is a photograph (`encodeLossless`). */
const PHOTOGRAPH_BYTES = 0.5;

/**
 * Makes sizes of a still picture in WebP and AVIF too, with the pixels of their JPEGs or PNGs; keeps only the files that
 * save enough bytes. A PNG that isn't a photograph becomes a WebP without losses. Wide gamuts stay, unlike in the JPEGs. The picture is decoded once, and each size is made from the
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
  let isPhotograph: boolean | undefined;
  for (const variant of [largest, ...smaller]) {
    const { width, height } = variant;
    pixels = await resizePixels(pixels, { width, height });
    // A JPEG has no alpha, so neither has its copy.
    const hasAlpha = variant.key.endsWith('.png') && isTranslucent(pixels);
    const still = (): Sharp => {
      const pipeline = withGamut({ pixels, profile: first.profile });
      return hasAlpha ? pipeline : pipeline.removeAlpha();
    };
    const lossless = variant.key.endsWith('.png') ? await encodeLossless(still()).toBuffer() : null;
    isPhotograph ??= lossless === null || lossless.length > PHOTOGRAPH_BYTES * width * height;
    for (const ext of isPhotograph ? ALTERNATIVE_EXTENSIONS : (['webp'] as const)) {
      const bytes =
        lossless !== null && !isPhotograph ? lossless : await encodeAlternative(still(), ext).toBuffer();
      if (!savesEnough(bytes.length, variant)) continue;
      const file = `${files.length}.${ext}`;
      await writeFile(join(job.folder, file), bytes);
      files.push({ file, key: objectKeys.alternative(variant.key, ext) });
    }
  }
  return { ...NOTHING_MADE, files, width: source.width, height: source.height };
}
