import { createHash } from 'node:crypto';
import { rewrittenBytes, type Rewrite, type Segment } from '@vitrine/formats';
import { ScratchFile } from './scratch-file';

/** Runs of at least this length are read separately. */
const LONG_RUN_BYTES = 1 << 16;

interface Replacement {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** Bytes that replace as many others, in order, and the size of the file afterwards. */
export interface Patch {
  readonly size: number;
  readonly replacements: readonly Replacement[];
}

/** Converts a rewrite to a patch in place; null if bytes move, so that a new file must be written. */
export function asPatch(rewrite: readonly Segment[], sourceSize: number): Patch | null {
  const replacements: Replacement[] = [];
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

/** A file that is ready to be stored. */
export interface ScrubbedFile {
  readonly file: ScratchFile;
  readonly sha256: Buffer;
}

/**
 * Applies a rewrite in place if possible, otherwise to a new file in `directory()`; the caller discards both. Without a
 * rewrite it returns the file and its hash unchanged.
 */
export async function scrub(
  { file, sha256 }: ScrubbedFile,
  rewrite: Rewrite,
  directory: () => Promise<string>,
): Promise<ScrubbedFile> {
  if (!rewrite) return { file, sha256 };
  const patch = asPatch(rewrite, file.size);
  return patch ? patchInPlace(file, patch) : writeNewFile(file, rewrite, await directory());
}

/** Patches and hashes the file in one pass. Only changed pieces are written. */
async function patchInPlace(file: ScratchFile, { size, replacements }: Patch): Promise<ScrubbedFile> {
  const hash = createHash('sha256');
  let at = 0;
  let next = 0;
  for await (const piece of file.pieces(0, size)) {
    const end = at + piece.length;
    const first = next;
    for (; next < replacements.length && replacements[next]!.offset < end; next++) {
      overlay(piece, at, replacements[next]!);
    }
    const changed = next > first;
    // A replacement may reach into the next piece.
    if (changed && endOf(replacements[next - 1]!) > end) next--;
    const writing = changed ? file.overwrite(at, piece) : undefined;
    hash.update(piece);
    await writing;
    at = end;
  }
  if (size < file.size) await file.truncate(size);
  return { file, sha256: hash.digest() };
}

const endOf = ({ offset, bytes }: Replacement): number => offset + bytes.length;

/** Copies the part of a replacement that overlaps a piece, which starts at `at` in the file. */
function overlay(piece: Uint8Array, at: number, { offset, bytes }: Replacement): void {
  const from = Math.max(0, at - offset);
  const to = Math.min(bytes.length, at + piece.length - offset);
  if (from < to) piece.set(bytes.subarray(from, to), offset + from - at);
}

async function writeNewFile(
  source: ScratchFile,
  rewrite: readonly Segment[],
  directory: string,
): Promise<ScrubbedFile> {
  const file = await ScratchFile.create(directory);
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunksOf(source, rewrite)) {
      // The operating system writes while this thread hashes.
      const writing = file.append(chunk);
      hash.update(chunk);
      await writing;
    }
    return { file, sha256: hash.digest() };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Reads long runs through one buffer, so that a large file does not fill the heap; short runs are read together. */
async function* chunksOf(source: ScratchFile, rewrite: readonly Segment[]): AsyncGenerator<Uint8Array> {
  let short: Segment[] = [];
  for (const part of rewrite) {
    if ('bytes' in part || part.to - part.from < LONG_RUN_BYTES) {
      short.push(part);
      continue;
    }
    yield* rewrittenBytes(source, short);
    short = [];
    yield* source.pieces(part.from, part.to);
  }
  yield* rewrittenBytes(source, short);
}
