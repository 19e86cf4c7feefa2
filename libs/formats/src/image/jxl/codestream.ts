import type { ByteSource } from '../../bytes/byte-source';
import { readExactly } from '../../bytes/read';
import { UnreadableFileError } from '../../errors/file-errors';
import { readCodestreamHeader, type CodestreamHeader } from './codestream-header';
import { readFrame, type Frame } from './frame-header';
import type { NameBits } from './jxl-bit-reader';

/**
 * Most headers have a few dozen bytes. The last size is enough for the table of contents of every accepted picture.
 * Each size is four times the previous one, so that a file of small frames is not read many times.
 */
const WINDOWS = [2048, 8192, 32_768, 131_072, 524_288];
const MAX_FRAMES = 10_000;

/** Bytes that replace those at `offset` of the codestream. */
export interface Patch {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface Codestream {
  readonly header: CodestreamHeader;
  /** Frames that are shown one after the other; 1 if they can't be counted. */
  readonly frames: number;
  /** Bytes up to the end of the last frame; undefined if it is known only after decoding. */
  readonly end: number | undefined;
  /** Replacements that empty the names of layers and channels without moving a bit. */
  readonly patches: readonly Patch[];
}

/**
 * Walks through a codestream from frame to frame. The walk ends at an ICC profile, or at a frame whose sections are
 * permuted, because the length of either is entropy-coded.
 * @throws UnreadableFileError if the bytes are no codestream, or are truncated.
 */
export async function readCodestream(source: ByteSource): Promise<Codestream> {
  const header = await readGrowing(source, 0, readCodestreamHeader);
  const patches = await namePatches(source, 0, header.names);
  let [frames, at] = [0, header.end];
  for (let count = 0; !header.hasProfile; count++) {
    if (count >= MAX_FRAMES) throw new UnreadableFileError('The JPEG XL has too many frames.');
    const frame: Frame = await readGrowing(source, at, (bytes) => readFrame(bytes, header));
    patches.push(...(await namePatches(source, at, [frame.name])));
    if (frame.isShown) frames++;
    if (frame.size === undefined) break;
    at += frame.size;
    if (at > source.size) throw new UnreadableFileError('The JPEG XL ends too early.');
    if (frame.isLast)
      return { header, frames: header.isAnimated ? Math.max(1, frames) : 1, end: at, patches };
  }
  return { header, frames: Math.max(1, frames), end: undefined, patches };
}

/** Reads with a small window first, and with larger ones while the window is too small. */
async function readGrowing<T>(
  source: ByteSource,
  offset: number,
  read: (bytes: Uint8Array) => T,
): Promise<T> {
  for (const window of WINDOWS) {
    const length = Math.min(window, source.size - offset);
    try {
      return read(await readExactly(source, offset, length));
    } catch (error) {
      if (!(error instanceof UnreadableFileError) || length < window) throw error;
    }
  }
  throw new UnreadableFileError('A header of the JPEG XL is too large.');
}

async function namePatches(source: ByteSource, base: number, names: readonly NameBits[]): Promise<Patch[]> {
  const patches: Patch[] = [];
  for (const { from, to } of names) {
    if (to === from) continue;
    const first = from >> 3;
    const bytes = await readExactly(source, base + first, ((to + 7) >> 3) - first);
    for (let bit = from; bit < to; bit++) {
      const at = (bit >> 3) - first;
      bytes[at] = (bytes[at] ?? 0) & ~(1 << (bit & 7));
    }
    patches.push({ offset: base + first, bytes });
  }
  return patches;
}
