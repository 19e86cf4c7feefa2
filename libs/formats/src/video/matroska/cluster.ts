import type { SourceWindow } from '../../bytes/byte-source';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import type { Redaction } from '../../rewriting/redaction';
import { SampleScrubber, type SampleCoding } from '../elementary/sample-scrubber';
import {
  CRC,
  CRC_SIZE,
  elementAt,
  LONGEST_HEADER,
  uintOf,
  vint,
  VOID,
  voidHeader,
  type Element,
} from './ebml';
import { TOP_LEVEL } from './ids';
import type { Track } from './track';

const TIMESTAMP = 0xe7;
const SIMPLE_BLOCK = 0xa3;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
/** Position and size of the cluster, and the timestamp. */
const CLUSTER_FIELDS: ReadonlySet<number> = new Set([TIMESTAMP, 0xa7, 0xab]);
/** Duration, references, codec state, padding to discard, additions (alpha, dynamic range). */
const GROUP_FIELDS: ReadonlySet<number> = new Set([BLOCK, 0x9b, 0xfa, 0xfb, 0xfd, 0xa4, 0x75a2, 0x75a1]);
/** A Void element as long as a checksum. */
const NO_CHECKSUM = Uint8Array.of(VOID, 0x80 | CRC_SIZE, 0, 0, 0, 0);
/** Track number (up to 8 bytes), the timestamp relative to the cluster's, and flags. */
const BLOCK_HEADER = 11;
/** Limit of the blocks: ten hours of sound and picture in the smallest blocks in use. */
const MAX_ELEMENTS = 2_000_000;

/** The element at `offset` of the file; null if there is none. */
export async function readElement(window: SourceWindow, offset: number): Promise<Element | null> {
  return elementAt(await window.at(offset, LONGEST_HEADER), 0, offset);
}

/** Turns an element of the file into an empty Void element. */
export function redactElement(redaction: Redaction, { id, start, body, end }: Element): void {
  if (end === Infinity) throw new UnreadableFileError('An unknown element has no size.');
  const header = voidHeader(end - start);
  if (id !== VOID) redaction.overwrite(start, header);
  redaction.fill(id === VOID ? body : start + header.length, end);
}

function isChecksum({ id, start, body, end }: Element): boolean {
  return id === CRC && end - body === CRC_SIZE && end - start === NO_CHECKSUM.length;
}

/** Scrubs the clusters of a segment, which hold the samples: blocks of removed tracks become Void. */
export class Clusters {
  private readonly tracks: ReadonlyMap<number, Track>;
  private readonly blocks = new Map<number, number>();
  private readonly scrubbers = new Map<number, SampleScrubber>();
  private elements = 0;
  private endTicks = 0;

  /** `tickNanoseconds`: the segment's TimestampScale. */
  constructor(
    private readonly window: SourceWindow,
    private readonly redaction: Redaction,
    tracks: readonly Track[],
    private readonly tickNanoseconds: number,
  ) {
    this.tracks = new Map(tracks.map((track) => [track.number, track]));
  }

  /** Seconds at which the last sample so far ends. */
  get end(): number {
    return (this.endTicks * this.tickNanoseconds) / 1e9;
  }

  /** Number of blocks of a track so far. */
  blocksOf(track: Track): number {
    return this.blocks.get(track.number) ?? 0;
  }

  /** Scrubs one cluster, which may be of unknown size. Returns where it ends; at `limit` if the file is truncated. */
  async scrub(cluster: Element, limit: number): Promise<number> {
    const end = Math.min(cluster.end, limit);
    let clusterTicks = 0;
    let checksum: Element | null = null;
    let at = cluster.body;
    while (at < end) {
      const element = await this.next(at, cluster.end, limit);
      if (!element || (cluster.end === Infinity && TOP_LEVEL.has(element.id))) break;
      if (isChecksum(element) && at === cluster.body) checksum = element;
      else if (element.id === TIMESTAMP) clusterTicks = await this.uint(element);
      else if (element.id === BLOCK_GROUP) await this.scrubGroup(element, clusterTicks);
      else if (element.id === SIMPLE_BLOCK) {
        if (!(await this.countBlock(element, clusterTicks))) redactElement(this.redaction, element);
      } else if (!CLUSTER_FIELDS.has(element.id)) redactElement(this.redaction, element);
      at = element.end;
    }
    if (at < end && cluster.end <= limit)
      throw new UnreadableFileError('A cluster can’t be read to its end.');
    if (checksum) this.redaction.overwriteIfChanged(checksum.start, NO_CHECKSUM, checksum.end, at);
    return at;
  }

  /** Scrubs a block with its duration and references: removes it as a whole, or its unknown elements. */
  private async scrubGroup(group: Element, clusterTicks: number): Promise<void> {
    const unknown: Element[] = [];
    let stays = false;
    for (let at = group.body; at < group.end;) {
      const element = await this.next(at, group.end, group.end);
      if (!element) break;
      if (element.id === BLOCK) stays = await this.countBlock(element, clusterTicks);
      else if (!GROUP_FIELDS.has(element.id)) unknown.push(element);
      at = element.end;
    }
    if (!stays) redactElement(this.redaction, group);
    else for (const element of unknown) redactElement(this.redaction, element);
  }

  /** Counts a block if its track is kept. Returns whether it is. */
  private async countBlock(block: Element, clusterTicks: number): Promise<boolean> {
    const view = await this.window.at(block.body, Math.min(BLOCK_HEADER, block.end - block.body));
    const length = view.length > 0 ? Math.clz32(view.u8(0)) - 23 : 9;
    if (length > 8 || view.length < length + 2) return false;
    const track = this.tracks.get(vint(view, 0, length) ?? 0);
    if (!track) return false;
    this.blocks.set(track.number, this.blocksOf(track) + 1);
    const isLaced = (view.length > length + 2 ? view.u8(length + 2) : 0) & 6;
    if (track.coding && isLaced)
      throw new UnsupportedVariantError('Matroska with several frames in one block is not supported.');
    if (track.coding) {
      const scrubber = this.scrubberOf(track, track.coding);
      await scrubber.scrub(Math.min(block.body + length + 3, block.end), block.end);
    }
    const ticks = clusterTicks + view.i16(length) + track.frameDuration / this.tickNanoseconds;
    this.endTicks = Math.max(this.endTicks, ticks);
    return true;
  }

  private scrubberOf({ number }: Track, coding: SampleCoding): SampleScrubber {
    const known = this.scrubbers.get(number);
    if (known) return known;
    const scrubber = new SampleScrubber(this.window, this.redaction, coding);
    this.scrubbers.set(number, scrubber);
    return scrubber;
  }

  /**
   * The element at `at` in a parent that ends at `parentEnd`. An element that is truncated with the file ends at
   * `limit`.
   */
  private async next(at: number, parentEnd: number, limit: number): Promise<Element | null> {
    if (++this.elements > MAX_ELEMENTS) throw new UnreadableFileError('The file holds too many elements.');
    const element = await readElement(this.window, at);
    if (element && element.end !== Infinity && element.end > parentEnd) {
      throw new UnreadableFileError('An element is longer than its parent.');
    }
    return element && { ...element, end: element.end === Infinity ? Infinity : Math.min(element.end, limit) };
  }

  private async uint(element: Element): Promise<number> {
    const size = Math.min(9, element.end - element.body);
    return uintOf(await this.window.at(element.body, size), { ...element, start: 0, body: 0, end: size });
  }
}
