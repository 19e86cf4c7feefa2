import { isZero } from '../../bytes/arrays';
import type { ByteSource } from '../../bytes/byte-source';
import { readExactly } from '../../bytes/read';
import { WindowReader } from '../../bytes/window-reader';
import type { Directory, Entry, TiffReader } from './directory';
import type { Page } from './writer';

const CHUNK = 1 << 16;
const BIG_HEADER = Uint8Array.of(8, 0);

interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Whether a file holds its pages and nothing else: every tag of every directory and every strip or tile is kept
 * unchanged, and all other bytes are zero. Such a file needs no new layout. `directories` and `pages` correspond by
 * index.
 */
export async function isPlainTiff(
  source: ByteSource,
  reader: TiffReader,
  directories: readonly Directory[],
  pages: readonly Page[],
): Promise<boolean> {
  const { isBig, littleEndian } = reader.style;
  if (directories.length !== pages.length) return false;
  if (isBig) {
    const offsetSize = await readExactly(source, 4, 4);
    if (!isZero(offsetSize, 2) || offsetSize[littleEndian ? 0 : 1] !== BIG_HEADER[0]) return false;
    if (offsetSize[littleEndian ? 1 : 0] !== BIG_HEADER[1]) return false;
  }
  const runs: Run[] = [{ from: 0, to: isBig ? 16 : 8 }];
  for (const [i, directory] of directories.entries()) {
    const page = pages[i];
    if (!page || !isWhole(directory, page)) return false;
    runs.push({ from: directory.from, to: directory.to });
    for (const entry of directory.entries.values()) {
      if (!(await isFilled(reader, entry))) return false;
      if (!isInline(reader, entry)) runs.push({ from: entry.offset, to: entry.offset + entry.length });
    }
    for (const { segments } of page.blocks) {
      for (const segment of segments) if ('to' in segment) runs.push(segment);
    }
  }
  return isZeroBetween(source, runs);
}

/** Whether the page keeps everything in the directory. */
function isWhole(directory: Directory, page: Page): boolean {
  const kept = page.tags.every(({ tag, isChanged }) => directory.entries.has(tag) && !isChanged);
  const count = page.tags.length + 2;
  return (
    kept &&
    directory.entries.size === count &&
    directory.count === count &&
    page.blocks.every(({ isChanged }) => !isChanged)
  );
}

function isInline(reader: TiffReader, { length }: Entry): boolean {
  return length <= (reader.style.isBig ? 8 : 4);
}

/** Whether zeros fill the rest of an entry with a short value. */
async function isFilled(reader: TiffReader, entry: Entry): Promise<boolean> {
  if (!isInline(reader, entry)) return true;
  const room = (reader.style.isBig ? 8 : 4) - entry.length;
  return isZero(await readExactly(reader.source, entry.offset + entry.length, room));
}

/** Whether all bytes of the file outside of `runs` are zero. */
async function isZeroBetween(source: ByteSource, runs: readonly Run[]): Promise<boolean> {
  const gaps = new WindowReader(source);
  let end = 0;
  for (const { from, to } of [...runs, { from: source.size, to: source.size }].sort(
    (a, b) => a.from - b.from,
  )) {
    for (gaps.position = end; gaps.position < from;) {
      const length = Math.min(CHUNK, from - gaps.position);
      await gaps.ensure(length);
      if (!isZero(gaps.take(length))) return false;
    }
    end = Math.max(end, to);
  }
  return true;
}
