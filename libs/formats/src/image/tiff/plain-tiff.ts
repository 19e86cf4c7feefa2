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
  for (const [i, directory] of directories.entries()) {
    const page = pages[i];
    if (!page || !isWhole(directory, page)) return false;
    for (const entry of directory.entries.values()) if (!(await isFilled(reader, entry))) return false;
  }
  const blocks = blockRuns(pages);
  if (blocks.some(({ from }, at) => from < (blocks[at - 1]?.to ?? 0))) return false;
  return isZeroBetween(source, [...tableRuns(reader, directories), ...blocks]);
}

/** Whether pixels lie where the header, a directory or a value is. */
export function overlapsTables(
  reader: TiffReader,
  directories: readonly Directory[],
  pages: readonly Page[],
): boolean {
  const isTable = (run: Run): boolean => tables.has(run);
  const tables = new Set(tableRuns(reader, directories));
  // Tables and pixels in their order: each is compared with all before it by the one that ends last.
  const all = [...tables, ...blockRuns(pages)].sort((a, b) => a.from - b.from);
  const end = { table: 0, pixels: 0 };
  for (const run of all) {
    if (run.from < (isTable(run) ? end.pixels : end.table)) return true;
    const kind = isTable(run) ? 'table' : 'pixels';
    end[kind] = Math.max(end[kind], run.to);
  }
  return false;
}

/** The header, the directories, and the values that lie outside of them. */
function tableRuns(reader: TiffReader, directories: readonly Directory[]): Run[] {
  const values = directories.flatMap(({ entries }) =>
    [...entries.values()].filter((entry) => !isInline(reader, entry)),
  );
  return [
    { from: 0, to: reader.style.isBig ? 16 : 8 },
    ...directories.map(({ from, to }) => ({ from, to })),
    ...values.map(({ offset, length }) => ({ from: offset, to: offset + length })),
  ];
}

/** The strips and tiles in their order. Pages that share one hold the same object. */
function blockRuns(pages: readonly Page[]): Run[] {
  const blocks = [...new Set(pages.flatMap((page) => page.blocks))];
  const runs = blocks.flatMap(({ segments }) =>
    segments.flatMap((segment) => ('to' in segment ? segment : [])),
  );
  return runs.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
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
