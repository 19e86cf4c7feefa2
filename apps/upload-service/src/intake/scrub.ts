import { rewrittenBytes, rewrittenSize, type Rewrite, type Segment } from '@vitrine/formats';
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

/**
 * The file as it is to be stored: the given one, changed in place where that does, else a new one beside it, which
 * the caller discards.
 */
export async function scrub(file: ScratchFile, rewrite: Rewrite, directory: string): Promise<ScratchFile> {
  if (!rewrite) return file;
  const patch = asPatch(rewrite, file.size);
  if (patch) {
    for (const { offset, bytes } of patch.replacements) await file.overwrite(offset, bytes);
    if (patch.size < file.size) await file.truncate(patch.size);
    return file;
  }
  const rewritten = await ScratchFile.create(directory);
  try {
    for await (const chunk of rewrittenBytes(file, rewrite)) await rewritten.append(chunk);
    if (rewritten.size !== rewrittenSize(file, rewrite))
      throw new Error('A rewritten file has the wrong size');
    return rewritten;
  } catch (error) {
    await rewritten.discard();
    throw error;
  }
}
