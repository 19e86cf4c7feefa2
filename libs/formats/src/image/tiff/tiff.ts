import type { ByteSource } from '../../bytes/byte-source';
import { MemorySource, SliceSource } from '../../bytes/memory-source';
import { WindowedSource } from '../../bytes/windowed-source';
import { latin1 } from '../../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import type { Inspection } from '../../facts/inspection';
import { imageFacts } from '../../facts/media-facts';
import { cleanProfile } from '../../metadata/colour-profile';
import { isOrientation, orient } from '../../metadata/exif-orientation';
import { isSoftwareText } from '../../metadata/software-name';
import { readRewritten, type Segment } from '../../rewriting/rewrite';
import { RewriteBuilder, segmentsSize } from '../../rewriting/rewrite-builder';
import { readJpegStream } from '../jpeg-stream';
import { decodablePages } from './undecodable';
import { TiffReader, type Directory, type Entry } from './directory';
import { isPlainTiff, overlapsTables } from './plain-tiff';
import * as tags from './tags';
import { layOut, type Block, type Page, type PageTag } from './writer';

const MAX_PAGES = 10_000;
const MAX_SUB_IFDS = 16;
const MAX_BLOCKS = 200_000;

const JPEG = 7;
/** Sensor data: colour filter array, linear raw. */
const RAW_PHOTOMETRICS = [32803, 34892];
/** Compressions of camera raws: Sony, Samsung (2), Nikon, Kodak (2), Pentax. */
const RAW_COMPRESSIONS = [32767, 32770, 32772, 34713, 65000, 65001, 65535];
const RAW = 'Raw files of cameras are not supported.';
/** What follows the header of Phase One's raws, which hold a small picture as well. */
const PHASE_ONE = /^(?:IIII.waR|MMMMRaw.)/s;
const REDUCED = 1;
/** A program's name is shorter. */
const MAX_NOTE = 128;

/**
 * Reads a TIFF or BigTIFF and lays it out again, unless it holds nothing else: for each page its needed tags and its
 * strips or tiles. Removes reduced pictures, sub-directories, Exif, GPS, all texts, and pages after the first that no decoder here can show.
 * @throws UnsupportedVariantError for camera raws, for the obsolete JPEG of TIFF 6.0, which hides previews, and if no decoder
 * here can show the first page.
 * @throws UnreadableFileError if directories or strips are invalid.
 */
export async function inspectTiff(source: ByteSource): Promise<Inspection> {
  const reader = await TiffReader.open(new WindowedSource(source));
  if (PHASE_ONE.test(latin1(await source.read(8, 8)))) throw new UnsupportedVariantError(RAW);
  const directories = await readChain(reader);
  for (const directory of directories) await refuseRaw(reader, directory);
  const full: Directory[] = [];
  for (const directory of directories) if (!(await isReduced(reader, directory))) full.push(directory);
  const shown = await decodablePages(reader, full.length > 0 ? full : directories.slice(0, 1));
  const [main] = shown;
  if (!main) throw new UnreadableFileError('The TIFF has no picture.');

  const blocks = new BlockReader(source);
  const pages: Page[] = [];
  for (const directory of shown) pages.push(await readPage(reader, directory, blocks));
  const width = await reader.number(main, tags.IMAGE_WIDTH, 0);
  const height = await reader.number(main, tags.IMAGE_LENGTH, 0);
  const turn = await reader.number(main, tags.ORIENTATION, 1);
  const facts = imageFacts('tiff', orient(width, height, isOrientation(turn) ? turn : 1), pages.length);
  if (overlapsTables(reader, shown, pages))
    throw new UnsupportedVariantError('TIFF with pixels inside of its tables is not supported.');
  const isPlain = shown.length === directories.length && (await isPlainTiff(source, reader, shown, pages));
  if (isPlain) return { facts, rewrite: null };
  const whole = new RewriteBuilder();
  whole.append(layOut(reader.style, pages));
  return { facts, rewrite: await whole.finish(source) };
}

/** The directories of the pages. A chain that leads back into itself ends there, as in decoders. */
async function readChain(reader: TiffReader): Promise<Directory[]> {
  const directories = new Map<number, Directory>();
  for (let offset = reader.first; offset !== 0 && !directories.has(offset);) {
    if (directories.size >= MAX_PAGES) throw new UnreadableFileError('The TIFF has too many pages.');
    const directory = await reader.directory(offset);
    directories.set(offset, directory);
    offset = directory.next;
  }
  return [...directories.values()];
}

/** A thumbnail or preview of another page. */
async function isReduced(reader: TiffReader, directory: Directory): Promise<boolean> {
  const modern = await reader.number(directory, tags.NEW_SUBFILE_TYPE, 0);
  return (modern & REDUCED) !== 0 || (await reader.number(directory, tags.SUBFILE_TYPE, 0)) === 2;
}

/** Refuses camera raws, which are TIFFs too. Their sensor data lies in the first directories or one level below. */
async function refuseRaw(reader: TiffReader, directory: Directory): Promise<void> {
  const candidates = [directory];
  const subIfds = directory.entries.get(tags.SUB_IFDS);
  if (subIfds && subIfds.count <= MAX_SUB_IFDS) {
    for (const offset of await reader.numbers(subIfds)) candidates.push(await reader.directory(offset));
  }
  for (const candidate of candidates) {
    const photometric = await reader.number(candidate, tags.PHOTOMETRIC, 0);
    const compression = await reader.number(candidate, tags.COMPRESSION, 1);
    if (
      candidate.entries.has(tags.DNG_VERSION) ||
      RAW_PHOTOMETRICS.includes(photometric) ||
      RAW_COMPRESSIONS.includes(compression)
    ) {
      throw new UnsupportedVariantError(RAW);
    }
  }
}

async function readPage(reader: TiffReader, directory: Directory, blockReader: BlockReader): Promise<Page> {
  const compression = await reader.number(directory, tags.COMPRESSION, 1);
  const isJpeg = compression === JPEG;
  const kept: PageTag[] = [];
  for (const entry of [...directory.entries.values()].filter(tags.isKept)) {
    const bytes = await reader.value(entry);
    if (entry.tag === tags.ICC_PROFILE) {
      const profile = cleanProfile(bytes);
      const isChanged = profile !== bytes;
      const [type, count] = isChanged ? [tags.UNDEFINED, profile?.length ?? 0] : [entry.type, entry.count];
      if (profile) kept.push({ ...entry, type, count, bytes: profile, isChanged });
    } else if (entry.tag !== tags.JPEG_TABLES) kept.push({ ...entry, bytes, isChanged: false });
    else if (isJpeg) kept.push(await cleanTables(entry, bytes));
  }
  const program = directory.entries.get(tags.SOFTWARE);
  if (program && program.type === tags.ASCII && program.length <= MAX_NOTE) {
    const bytes = await reader.value(program);
    if (isSoftwareText(bytes)) kept.push({ ...program, bytes, isChanged: false });
  }

  const isTiled = directory.entries.has(tags.TILE_OFFSETS);
  const [offsetsTag, countsTag] = isTiled
    ? [tags.TILE_OFFSETS, tags.TILE_BYTE_COUNTS]
    : [tags.STRIP_OFFSETS, tags.STRIP_BYTE_COUNTS];
  const [offsets, counts] = [directory.entries.get(offsetsTag), directory.entries.get(countsTag)];
  if (!offsets || !counts || offsets.count !== counts.count) {
    throw new UnreadableFileError('A page of the TIFF has no pixels.');
  }
  const starts = await reader.numbers(offsets);
  const lengths = await reader.numbers(counts);
  const blocks: Block[] = [];
  for (const [i, start] of starts.entries())
    blocks.push(await blockReader.read(start, lengths[i] ?? 0, isJpeg));
  return { tags: kept, offsetsTag, countsTag, blocks };
}

/** The tables that the JPEG strips of a page share are a JPEG stream as well. */
async function cleanTables(entry: Entry, value: Uint8Array): Promise<PageTag> {
  const source = new MemorySource(value);
  const bytes = await readRewritten(source, (await readJpegStream(source, 0, false)).segments);
  if (Buffer.compare(bytes, value) === 0) return { ...entry, bytes, isChanged: false };
  return { tag: tags.JPEG_TABLES, type: tags.UNDEFINED, count: bytes.length, bytes, isChanged: true };
}

/** Reads strips and tiles. Pages may share them, but together they can't hold more than the file. */
class BlockReader {
  private readonly known = new Map<string, Block>();
  private bytesLeft: number;
  private blocksLeft = MAX_BLOCKS;

  constructor(private readonly source: ByteSource) {
    this.bytesLeft = source.size;
  }

  async read(start: number, length: number, isJpeg: boolean): Promise<Block> {
    if (this.blocksLeft-- === 0) throw new UnreadableFileError('The TIFF is in too many pieces.');
    const key = `${start}:${length}:${isJpeg}`;
    const known = this.known.get(key);
    if (known) return known;
    this.bytesLeft -= length;
    if (start + length > this.source.size || this.bytesLeft < 0) {
      throw new UnreadableFileError('The pixels of the TIFF lie outside of the file.');
    }
    const plain = [{ from: start, to: start + length }];
    const clean = isJpeg && length > 0 ? await this.cleanJpeg(start, length) : null;
    const segments = clean ?? plain;
    const block = { segments, size: segmentsSize(segments), isChanged: clean !== null };
    this.known.set(key, block);
    return block;
  }

  /** Null if the stream is already clean. */
  private async cleanJpeg(start: number, length: number): Promise<readonly Segment[] | null> {
    const slice = new SliceSource(this.source, start, start + length);
    const stream = new RewriteBuilder();
    stream.append((await readJpegStream(slice, 0, false)).segments);
    const segments = await stream.finish(slice);
    if (!segments) return null;
    return segments.map((part) =>
      'bytes' in part ? part : { from: part.from + start, to: part.to + start },
    );
  }
}
