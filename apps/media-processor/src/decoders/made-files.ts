import { lstatSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type AlternativeSource,
  findImplausible,
  type MediaProcessingRequested,
  objectKeys,
  possibleAlternatives,
  savesEnough,
  storedVariants,
} from '@vitrine/contracts';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import { type JobResult, type MadeFile, MAX_FILES } from '../jobs/protocol';

/**
 * Moves the files of a worker's result into the folder `into`, which the worker can't reach, and returns the checked
 * result. Throws `UnprocessableFileError` if this file can't have that result, if it names an object that is not a
 * variant or frame of this media item, or a file that is not a regular one of the stated size. Only a hijacked worker
 * does that.
 */
export async function moveCheckedFiles(
  result: JobResult,
  media: MediaProcessingRequested,
  { from, into }: { readonly from: string; readonly into: string },
): Promise<JobResult> {
  const { slug, ext } = media;
  const original = objectKeys.original(slug, ext);
  const problem = findImplausible({ ...result, slug }, media) ?? problemOf(result, original);
  if (problem !== null) throw untrustedResult(problem);
  const described = storedVariants(result);
  for (const { file, key } of result.files) {
    const size = moveFile(file, { from, into });
    const sizes = described.filter((variant) => variant.key === key).map(({ bytes }) => bytes);
    if (sizes.some((bytes) => bytes !== size)) throw untrustedResult(`gives a wrong size for ${file}`);
  }
  // Copied field by field, so that unknown fields are dropped.
  const { files, variants, still, loop, step, ...seen } = result;
  const { frames, hashes, fully_seen, thumbhash, width, height, duration } = seen;
  const facts = { frames, hashes, fully_seen, thumbhash, width, height, duration };
  return { files, variants, ...(still && { still }), ...(loop && { loop }), ...(step && { step }), ...facts };
}

/**
 * As `moveCheckedFiles`, for the one object with the key `key` that was to be made again: everything else in the result is
 * dropped.
 */
export async function moveRemadeFile(
  { files: [made, ...others], ...rest }: JobResult,
  key: string,
  folders: { readonly from: string; readonly into: string },
): Promise<JobResult> {
  if (!made || !isMadeFile(made) || made.key !== key || others.length > 0)
    throw untrustedResult('describes other objects than the one to make');
  if (moveFile(made.file, folders) === 0) throw untrustedResult(`has an empty file: ${made.file}`);
  return { ...rest, files: [{ file: made.file, key }], variants: [], frames: [], hashes: [] };
}

/**
 * As `moveCheckedFiles`, for alternatives of these variants: each file is named once, is an alternative of one of
 * them, and saves enough bytes. Everything else in the result is dropped.
 */
export async function moveAlternatives(
  { files, ...rest }: JobResult,
  variants: readonly AlternativeSource[],
  folders: { readonly from: string; readonly into: string },
): Promise<JobResult> {
  const expected = possibleAlternatives(variants);
  const made: MadeFile[] = [];
  for (const { file, key } of files) {
    const alternative = expected.get(key);
    if (!alternative || !isMadeFile({ file, key }))
      throw untrustedResult('describes other objects than the ones to make');
    expected.delete(key);
    const size = moveFile(file, folders);
    if (size === 0 || !savesEnough(size, alternative.variant))
      throw untrustedResult(`has a file that is empty or too large: ${file}`);
    made.push({ file, key });
  }
  return { ...rest, files: made, variants: [], frames: [], hashes: [] };
}

/** Moves a file out of the worker's reach; returns its bytes. */
function moveFile(file: string, { from, into }: { readonly from: string; readonly into: string }): number {
  const path = join(into, file);
  try {
    renameSync(join(from, file), path);
  } catch (error) {
    throw untrustedResult(`names a file that can't be moved: ${String(error)}`);
  }
  const found = lstatSync(path);
  if (!found.isFile() || found.nlink > 1)
    throw untrustedResult(`has a file that is not a regular one: ${file}`);
  return found.size;
}

function problemOf(result: JobResult, original: string): string | null {
  const { files, frames } = result;
  if (!Array.isArray(files) || files.length > MAX_FILES) return 'has no list of files, or too many files';
  if (!files.every(isMadeFile)) return 'names a file outside of its folder';
  const keys = new Set(files.map(({ key }) => key));
  if (keys.size !== files.length || new Set(files.map(({ file }) => file)).size !== files.length) {
    return 'names a file or a key twice';
  }
  const described = new Set([...storedVariants(result).map(({ key }) => key), ...frames]);
  described.delete(original);
  // Each described object was made, and each made object is described, so every key was checked.
  return described.size === keys.size && [...described].every((key) => keys.has(key))
    ? null
    : 'describes other objects than it has made';
}

const isMadeFile = (made: MadeFile): boolean =>
  typeof made?.file === 'string' &&
  typeof made.key === 'string' &&
  made.file.length > 0 &&
  made.file !== '.' &&
  made.file !== '..' &&
  basename(made.file) === made.file;

const untrustedResult = (problem: string): UnprocessableFileError =>
  new UnprocessableFileError(failureReason.crash, `A worker's result ${problem}`);
