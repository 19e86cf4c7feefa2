import { setImmediate } from 'node:timers/promises';
import { concatBytes } from '../../bytes/arrays';
import { Cursor } from '../../bytes/cursor';
import { u32, u32List } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import { parseBoxes, readVersion, writeBox, writeFullBox, type Box } from '../../isobmff/boxes';
import { cleanColourBox } from '../../metadata/colour-profile';
import { isSoftwareRecord, isSoftwareText } from '../../metadata/software-name';
import type { Placement, Range } from './byte-map';

/** Limit of the pictures, and of runs of them, in all tracks. An hour of animation has fewer. */
const MAX_SAMPLES = 100_000;
const MAX_CHUNKS = 100_000;
const MAX_TRACKS = 16;
/** Limit of the adjacent boxes in a track. Every search for a table goes through them. */
const MAX_SIBLINGS = 1000;

/** An image sequence: the first track of a `moov` box with pictures, and the track with their transparency. */
export interface Sequence {
  /** Number of pictures in the displayed track. */
  readonly frames: number;
  /** Pixels as displayed. */
  readonly width: number;
  readonly height: number;
  /** The codec of its pictures: four characters, e.g. `av01`. */
  readonly codec: string;
  /** The runs of bytes that hold the tracks' samples. */
  readonly ranges: readonly Range[];
  /** Writes the `moov` box for samples that lie in `map`, which starts at `dataOffset` of the new file. */
  write(map: Placement, dataOffset: number): Uint8Array;
}

/** The content of a kept box: boxes of these types, or bytes that are copied. */
type Keep = ReadonlyMap<string, Keep | null>;

const SAMPLE_TABLES: Keep = new Map(
  ['stsd', 'stts', 'ctts', 'cslg', 'stsc', 'stsz', 'stz2', 'stco', 'co64', 'stss', 'sdtp'].map((type) => [
    type,
    null,
  ]),
);
const MEDIA_INFORMATION: Keep = new Map([
  ['vmhd', null],
  ['nmhd', null],
  ['dinf', null],
  ['stbl', SAMPLE_TABLES],
]);
const MEDIA: Keep = new Map([
  ['mdhd', null],
  ['hdlr', null],
  ['minf', MEDIA_INFORMATION],
]);
const TRACK: Keep = new Map<string, Keep | null>([
  ['tkhd', null],
  ['tref', null],
  ['edts', new Map([['elst', null]])],
  ['mdia', MEDIA],
]);
/** Bytes of a handler before its name. */
const HANDLER_FIELDS = 24;
/** Without a crop (`clap`), which only some programs apply. */
const SAMPLE_ENTRY_BOXES = new Set(['av1C', 'hvcC', 'colr', 'pasp', 'ccst', 'auxi', 'clli', 'mdcv', 'fiel']);

/** Reads a `moov` box's content; undefined if it has no track of pictures. */
export async function parseSequence(body: Uint8Array, fileSize: number): Promise<Sequence | undefined> {
  const boxes = parseBoxes(body);
  const budget = { samples: MAX_SAMPLES, chunks: MAX_CHUNKS };
  const tracks: Track[] = [];
  for (const box of boxes.filter(({ type }) => type === 'trak')) {
    if (tracks.length >= MAX_TRACKS) throw new UnreadableFileError('The sequence has too many tracks.');
    tracks.push(new Track(body, box, fileSize, budget));
    // Lets other work run: tables of a hundred thousand entries take long.
    await setImmediate();
  }
  const main = tracks.find((track) => track.handler === 'pict');
  const header = boxes.find(({ type }) => type === 'mvhd');
  if (!main || !header) return undefined;
  // Programs disagree on two tracks with pictures: some show the first, some the larger one.
  const alpha = tracks.find((track) => track.isAlpha && track.belongsTo(main));
  if (alpha && main.isPremultiplied)
    throw new UnsupportedVariantError('AVIF with premultiplied transparency is not supported.');
  const shown = alpha ? [main, alpha] : [main];
  return {
    frames: main.samples,
    ...main.displayedSize(),
    codec: main.codec,
    ranges: shown.flatMap((track) => track.ranges),
    write: (map, dataOffset) =>
      writeBox(
        'moov',
        writeBox('mvhd', withoutTimes(body.subarray(header.body, header.end))),
        ...shown.map((track) => track.write(map, dataOffset)),
      ),
  };
}

/** The rest of the limits, for all tracks together. */
interface Budget {
  samples: number;
  chunks: number;
}

class Track {
  readonly handler: string;
  readonly codec: string;
  readonly isAlpha: boolean;
  readonly samples: number;
  readonly ranges: readonly Range[];
  private readonly sampleDescription: Uint8Array;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly box: Box,
    fileSize: number,
    budget: Budget,
  ) {
    this.handler = this.cursor('mdia', 'hdlr', 8).ascii(4);
    const isPicture = this.handler === 'pict' || this.handler === 'auxv';
    this.sampleDescription = isPicture
      ? cleanSampleDescription(this.cursor('mdia', 'minf', 'stbl', 'stsd'))
      : new Uint8Array(0);
    this.codec = isPicture ? new Cursor(this.sampleDescription, 12).ascii(4) : '';
    this.isAlpha =
      this.handler === 'auxv' &&
      /alpha|auxid:1\0/.test(Buffer.from(this.sampleDescription).toString('latin1'));
    const table = isPicture ? this.sampleRanges(fileSize, budget) : { samples: 0, ranges: [] };
    this.samples = table.samples;
    this.ranges = table.ranges;
  }

  /** Whether this is an auxiliary track of `other` (8.3.3). */
  belongsTo(other: Track): boolean {
    if (!this.find('tref', 'auxl')) return false;
    const ids = this.cursor('tref', 'auxl');
    while (ids.remaining >= 4) if (ids.u32() === other.id) return true;
    return false;
  }

  /** Whether its colours are premultiplied with another track, which programs show in different ways. */
  get isPremultiplied(): boolean {
    return this.isAv1 && this.find('tref', 'prem') !== undefined;
  }

  private get isAv1(): boolean {
    return this.codec === 'av01';
  }

  private get id(): number {
    const cursor = this.cursor('tkhd');
    const { version } = readVersion(cursor);
    cursor.skip(version === 1 ? 16 : 8);
    return cursor.u32();
  }

  /** The size in the track header, rotated by its matrix (ISO/IEC 14496-12, 8.3.2), which AVIF loses. */
  displayedSize(): { width: number; height: number } {
    const cursor = this.cursor('tkhd');
    const { version } = readVersion(cursor);
    cursor.skip((version === 1 ? 32 : 20) + 16);
    const [a, b] = [cursor.i32(), cursor.i32()];
    cursor.skip(28);
    const [width, height] = [cursor.u32() >>> 16, cursor.u32() >>> 16];
    return a === 0 && b !== 0 && !this.isAv1 ? { width: height, height: width } : { width, height };
  }

  write(map: Placement, dataOffset: number): Uint8Array {
    return this.writeKept('trak', this.box.body, this.box.end, TRACK, map, dataOffset);
  }

  private writeKept(
    type: string,
    from: number,
    to: number,
    keep: Keep,
    map: Placement,
    dataOffset: number,
  ): Uint8Array {
    const parts: Uint8Array[] = [];
    const written = new Set<string>();
    for (const box of parseBoxes(this.bytes, from, to)) {
      const inner = keep.get(box.type);
      // Writes each box once: the first, by which the samples were found. A second one could tell a decoder something
      // else, and a million of them would each be as long as the first.
      if (inner === undefined || written.has(box.type)) continue;
      written.add(box.type);
      if (inner === null) parts.push(this.writeLeaf(box, map, dataOffset));
      else parts.push(this.writeKept(box.type, box.body, box.end, inner, map, dataOffset));
    }
    return writeBox(type, ...parts);
  }

  private writeLeaf(box: Box, map: Placement, dataOffset: number): Uint8Array {
    const body = this.bytes.subarray(box.body, box.end);
    switch (box.type) {
      case 'tkhd':
        return writeBox('tkhd', this.isAv1 ? withoutMatrix(withoutTimes(body)) : withoutTimes(body));
      case 'mdhd':
        return writeBox('mdhd', withoutTimes(body));
      case 'hdlr':
        return writeFullBox('hdlr', 0, 0, u32(0), asciiBytes(this.handler), u32(0, 0, 0), handlerName(body));
      case 'dinf':
        // The samples lie in this file. Any other reference would name another file.
        return writeBox('dinf', writeFullBox('dref', 0, 0, u32(1), writeFullBox('url ', 0, 1)));
      case 'stsd':
        return writeBox('stsd', this.sampleDescription);
      case 'stco':
      case 'co64':
        return writeChunkOffsets(box.type, body, (offset) => dataOffset + map.place(offset));
      default:
        return writeBox(box.type, body);
    }
  }

  /** The positions of the samples, chunk by chunk, from the tables `stsc`, `stsz` and `stco` (8.7). */
  private sampleRanges(fileSize: number, budget: Budget): { samples: number; ranges: Range[] } {
    const sizes = this.sampleSizes(budget);
    const runs = this.cursor('mdia', 'minf', 'stbl', 'stsc', 4);
    const chunks = readChunkOffsets(this.find('mdia', 'minf', 'stbl', 'stco') ? 'stco' : 'co64', (type) =>
      this.cursor('mdia', 'minf', 'stbl', type),
    );
    budget.chunks -= chunks.length;
    if (budget.chunks < 0) throw new UnreadableFileError('The sequence is in too many pieces.');
    const ranges: Range[] = [];
    let sample = 0;
    let runsLeft = runs.u32();
    const nextRun = (): { first: number; perChunk: number } => {
      if (runsLeft-- <= 0) return { first: Infinity, perChunk: 0 };
      const run = { first: runs.u32(), perChunk: runs.u32() };
      runs.skip(4);
      return run;
    };
    let run = nextRun();
    let following = nextRun();
    for (const [index, from] of chunks.entries()) {
      if (index + 1 >= following.first) [run, following] = [following, nextRun()];
      const to = from + sizes.sum(sample, run.perChunk);
      if (to === from) throw new UnreadableFileError('A piece of the sequence is empty.');
      if (to > fileSize) throw new UnreadableFileError('The sequence ends too early.');
      ranges.push({ from, to });
      sample += run.perChunk;
    }
    if (sample !== sizes.count) throw new UnreadableFileError("The sequence's tables contradict each other.");
    return { samples: sample, ranges };
  }

  private sampleSizes(budget: Budget): { count: number; sum(first: number, count: number): number } {
    if (!this.find('mdia', 'minf', 'stbl', 'stsz'))
      throw new UnreadableFileError('The sequence has no sizes.');
    const cursor = this.cursor('mdia', 'minf', 'stbl', 'stsz', 4);
    const [uniform, count] = [cursor.u32(), cursor.u32()];
    budget.samples -= count;
    if (budget.samples < 0) throw new UnreadableFileError('The sequence has too many pictures.');
    if (uniform > 0) return { count, sum: (_, samples) => samples * uniform };
    if (count * 4 > cursor.remaining) throw new UnreadableFileError('The sequence has too few sizes.');
    const sizes = Array.from({ length: count }, () => cursor.u32());
    return {
      count,
      sum: (first, samples) => {
        if (first + samples > count) throw new UnreadableFileError('The sequence has too few sizes.');
        let sum = 0;
        for (let i = first; i < first + samples; i++) sum += sizes[i] ?? 0;
        return sum;
      },
    };
  }

  /** The box at this path within the track. */
  private find(...path: readonly string[]): Box | undefined {
    let box: Box | undefined = this.box;
    for (const type of path) {
      if (!box) return undefined;
      const siblings = parseBoxes(this.bytes, box.body, box.end, { limit: MAX_SIBLINGS });
      box = siblings.find((child) => child.type === type);
    }
    return box;
  }

  /** A cursor at the content of the box at this path. A number at the end of the path skips that many bytes. */
  private cursor(...path: readonly (string | number)[]): Cursor {
    const types = path.filter((step) => typeof step === 'string');
    const box = this.find(...types);
    if (!box) throw new UnreadableFileError(`The sequence's table ${types.at(-1) ?? ''} is missing.`);
    const cursor = new Cursor(this.bytes.subarray(box.body, box.end));
    for (const step of path) if (typeof step === 'number') cursor.skip(step);
    return cursor;
  }
}

function readChunkOffsets(type: 'stco' | 'co64', cursorOf: (type: string) => Cursor): number[] {
  const cursor = cursorOf(type);
  cursor.skip(4);
  const [count, width] = [cursor.u32(), type === 'stco' ? 4 : 8];
  if (count > MAX_CHUNKS) throw new UnreadableFileError('The sequence is in too many pieces.');
  if (count * width > cursor.remaining) throw new UnreadableFileError('The sequence has too few offsets.');
  return Array.from({ length: count }, () => cursor.uint(width));
}

function writeChunkOffsets(
  type: 'stco' | 'co64',
  body: Uint8Array,
  place: (offset: number) => number,
): Uint8Array {
  const offsets = readChunkOffsets(type, () => new Cursor(body)).map(place);
  const numbers =
    type === 'stco' ? offsets : offsets.flatMap((offset) => [Math.floor(offset / 2 ** 32), offset % 2 ** 32]);
  return writeFullBox(type, 0, 0, u32(offsets.length), u32List(numbers));
}

/** A header box (`mvhd`, `tkhd`, `mdhd`) without its times of creation and change. */
function withoutTimes(body: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(body);
  copy.fill(0, 4, body[0] === 1 ? 20 : 12);
  return copy;
}

/** A track header whose matrix neither rotates nor scales: browsers ignore the matrix of an AVIF sequence. */
function withoutMatrix(header: Uint8Array): Uint8Array {
  const at = header[0] === 1 ? 52 : 40;
  const upright = u32List([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]);
  if (at + upright.length <= header.length) header.set(upright, at);
  return header;
}

/** The name of a handler if it is a program's, and otherwise an empty one; a zero ends it. */
function handlerName(body: Uint8Array): Uint8Array {
  const name = body.subarray(HANDLER_FIELDS);
  return isSoftwareText(name) ? name : Uint8Array.of(0);
}

function writeEntryBox(type: string, body: Uint8Array): Uint8Array {
  const clean = type === 'colr' ? cleanColourBox(body) : body;
  return clean ? writeBox(type, clean) : new Uint8Array(0);
}

/** `stsd` whose entries hold only what decoding needs, and the compressor's name if it is a program's. */
function cleanSampleDescription(cursor: Cursor): Uint8Array {
  const visualEntry = 78;
  const nameAt = 42;
  const nameLength = 32;
  cursor.skip(8);
  const entries = parseBoxes(cursor.bytes, cursor.position).map((box) => {
    if (box.end - box.body < visualEntry) throw new UnreadableFileError('The sequence has no codec.');
    const fields = Uint8Array.from(cursor.bytes.subarray(box.body, box.body + visualEntry));
    const name = fields.subarray(nameAt, nameAt + nameLength);
    if (!isSoftwareRecord(name)) name.fill(0);
    const inner = parseBoxes(cursor.bytes, box.body + visualEntry, box.end)
      .filter(({ type }) => SAMPLE_ENTRY_BOXES.has(type))
      .map((child) => writeEntryBox(child.type, cursor.bytes.subarray(child.body, child.end)));
    return writeBox(box.type, fields, ...inner);
  });
  return concatBytes([u32(0, entries.length), ...entries]);
}
