import { join } from 'node:path';
import { PICTURE_TYPES } from '@vitrine/contracts';
import { failureReason, refuseOnFailure, UnprocessableFileError } from '../failures/failures';
import { type JobResult, type MediaJob, NOTHING_MADE, type RemadeVariant } from '../jobs/protocol';
import { encode, type VariantExtension } from '../pixels/encoders';
import { decodeFor, withGamut } from './decode-still';
import { openSource } from './image-source';

/**
 * Makes one variant of a still picture again, in the format and with the pixels that it had. A reader waits, so the
 * picture is reduced to this size at once (docs/adr/0040). Writes the file into the job's folder. Throws as `ImageProcessor.process`.
 */
export async function remakeStill(
  job: MediaJob,
  { key, ext, width, height }: RemadeVariant,
): Promise<JobResult> {
  if (!isExtension(ext))
    throw new UnprocessableFileError(failureReason.unsupported, `No variant has the type ${ext}`);
  const source = await openSource(job);
  if (source.timing) throw new UnprocessableFileError(failureReason.unsupported, 'It is an animation');
  const still = await refuseOnFailure(() => decodeFor(ext, source, { width, height }));
  const file = `remade.${ext}`;
  await encode(withGamut(still), ext, Math.max(width, height)).toFile(join(job.folder, file));
  return { ...NOTHING_MADE, files: [{ file, key }], width, height };
}

const isExtension = (ext: string): ext is VariantExtension => Object.hasOwn(PICTURE_TYPES, ext);
