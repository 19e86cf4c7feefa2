import { createHash } from 'node:crypto';
import type { Rewrite, Segment } from '@vitrine/formats';
import { ScratchFile } from './scratch-file';

/** Bytes to put in the place of as many others, and where the file ends after it. */
export interface Patch {
  readonly size: number;
  readonly replacements: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
}

/** The rewrite as a patch in place; null where bytes change their places, and the file must be written anew. */
export function asPatch(rewrite: readonly Segment[], sourceSize: number): Patch | null {
  const replacements: { offset: number; bytes: Uint8Array }[] = [];
  let size = 0;
  for (const part of rewrite) {
    if ('bytes' in part) {
      replacements.push({ offset: size, bytes: part.bytes });
      size += part.bytes.length;
    } else {
      if (part.from !== size) return null;
      size = part.to;
    }
  }
  return size <= sourceSize ? { size, replacements } : null;
}

/** A file as it is to be stored. */
export interface ScrubbedFile {
  readonly file: ScratchFile;
  readonly sha256: Buffer;
}

/**
 * Applies a rewrite: in place where that does, else to a new file beside the given one, which the caller discards.
 * A file that needs none keeps the hash that it came with.
 */
export async function scrub(
  { file, sha256 }: ScrubbedFile,
  rewrite: Rewrite,
  directory: string,
): Promise<ScrubbedFile> {
  if (!rewrite) return { file, sha256 };
  const patch = asPatch(rewrite, file.size);
  if (!patch) return writeAnew(file, rewrite, directory);
  for (const { offset, bytes } of patch.replacements) await file.overwrite(offset, bytes);
  if (patch.size < file.size) await file.truncate(patch.size);
  return { file, sha256: await file.sha256() };
}

async function writeAnew(
  source: ScratchFile,
  rewrite: readonly Segment[],
  directory: string,
): Promise<ScrubbedFile> {
  const file = await ScratchFile.create(directory);
  const hash = createHash('sha256');
  const append = async (bytes: Uint8Array): Promise<void> => {
    // The system writes while this thread hashes.
    const writing = file.append(bytes);
    hash.update(bytes);
    await writing;
  };
  try {
    for (const part of rewrite) {
      if ('bytes' in part) await append(part.bytes);
      else for await (const piece of source.pieces(part.from, part.to)) await append(piece);
    }
    return { file, sha256: hash.digest() };
  } catch (error) {
    await file.discard();
    throw error;
  }
}
