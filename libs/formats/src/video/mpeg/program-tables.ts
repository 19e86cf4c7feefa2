import { ByteView } from '../../bytes/byte-view';
import { crc32Msb } from '../../bytes/numbers';
import { ascii } from '../../bytes/text';
import { unsupportedCodec } from '../elementary/picture-codecs';
import type { ElementaryCodec } from '../elementary/stream-picture';

/** One elementary stream of a program. */
export interface ProgramStream {
  readonly pid: number;
  /**
   * `private`: only the packets show what it is. Null for anything that is neither sound nor picture: subtitles, ID3,
   * KLV, teletext, splicing.
   */
  readonly kind: 'video' | 'audio' | 'private' | null;
  /** Null if this library can't read the codec's headers. */
  readonly codec: ElementaryCodec | null;
}

const VIDEO_TYPES: Readonly<Record<number, ElementaryCodec>> = {
  0x01: 'mpeg', 0x02: 'mpeg', 0x10: 'mpeg4', 0x1b: 'h264', 0x1f: 'h264', 0x20: 'h264', 0x24: 'hevc', 0xea: 'vc1',
}; // prettier-ignore
/** Types of pictures that are not accepted. */
const UNSUPPORTED_TYPES: ReadonlyMap<number, string> = new Map([
  [0x21, 'mjp2'],
  [0x33, 'VVC'],
  [0x42, 'AVS'],
  [0xd1, 'Dirac'],
  [0xd2, 'AVS2'],
  [0xd4, 'AVS3'],
]);
const AUDIO_TYPES: ReadonlySet<number> = new Set([0x03, 0x04, 0x0f, 0x11, 0x1c, 0x2d, 0x2e, 0x81, 0x83, 0x84, 0x85, 0x87, 0x8a, 0xa1]); // prettier-ignore
/** Types that mean sound in Blu-ray and AVCHD, and something else in other streams. */
const BLU_RAY_AUDIO: ReadonlySet<number> = new Set([0x80, 0x82, 0x86, 0xa2]);

/** Private data, and types that mean DTS for some writers and subtitles for others. */
const PRIVATE_TYPES: ReadonlySet<number> = new Set([0x06, 0x82]);

const REGISTRATION = 0x05;
const AUDIO_REGISTRATIONS: ReadonlySet<string> = new Set(['AC-3', 'EAC3', 'DTS1', 'DTS2', 'DTS3', 'Opus', 'BSSD', 'AC-4', 'mlpa']); // prettier-ignore
const VIDEO_REGISTRATIONS: Readonly<Record<string, ElementaryCodec>> = { HEVC: 'hevc', 'VC-1': 'vc1' };
const UNSUPPORTED_REGISTRATION = 'drac';
/** Descriptors by which DVB marks sound in private streams: AC-3, E-AC-3, DTS, AAC. */
const AUDIO_DESCRIPTORS: ReadonlySet<number> = new Set([0x6a, 0x7a, 0x7b, 0x7c]);

/**
 * Descriptors that sound has as well as other streams: alignment, language, bit rates and buffers, stream identifier.
 */
const INDIFFERENT_DESCRIPTORS: ReadonlySet<number> = new Set([0x06, 0x0a, 0x0e, 0x10, 0x11, 0x52]);

/**
 * Descriptors that a decoder or player needs: video and audio parameters, registration, language, bit rates
 * and buffers, AVC, HEVC, stream identifier, the DVB audio ones, and DVB's extension (Opus channels).
 */
const KEPT_DESCRIPTORS: ReadonlySet<number> = new Set([
  0x02, 0x03, 0x04, REGISTRATION, 0x06, 0x0a, 0x0e, 0x10, 0x11, 0x1b, 0x1c, 0x28, 0x2a, 0x2b, 0x38, 0x52, 0x6a, 0x7a, 0x7b, 0x7c, 0x7f, 0x81,
]); // prettier-ignore

export interface Section {
  readonly tableId: number;
  readonly bytes: Uint8Array;
}

/** Bytes of a section before its length (the table) and after its content (the checksum). */
const SECTION_HEADER = 3;
const SHORTEST_SECTION = 12;

/**
 * Reads the sections of one run, which comes in pieces, up to stuffing or damage. Leaves out sections with a wrong
 * CRC.
 */
export class SectionReader {
  private bytes: Uint8Array = new Uint8Array(256);
  private length = 0;
  /** Start of the next section. */
  private at = 0;
  private isOver = false;

  /** Takes the next bytes of the run, and returns the sections that end in them. */
  feed(piece: Uint8Array): Section[] {
    if (this.isOver) return [];
    this.append(piece);
    const sections: Section[] = [];
    for (let section = this.next(); section; section = this.next()) {
      if (crc32Msb(section) === 0) sections.push({ tableId: section[0] ?? 0, bytes: section.slice() });
    }
    return sections;
  }

  private next(): Uint8Array | null {
    if (this.at >= this.length) return null;
    const [tableId = 0, high = 0, low = 0] = this.bytes.subarray(this.at, this.length);
    this.isOver = tableId === 0xff;
    if (this.isOver || this.at + SECTION_HEADER > this.length) return null;
    const size = SECTION_HEADER + (((high & 0xf) << 8) | low);
    this.isOver = size < SHORTEST_SECTION;
    if (this.isOver || this.at + size > this.length) return null;
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  private append(piece: Uint8Array): void {
    const size = this.length + piece.length;
    if (size > this.bytes.length) {
      const larger = new Uint8Array(Math.max(size, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(piece, this.length);
    this.length = size;
  }
}

/** The PIDs of the program maps in a program association section. */
export function programMapPids(section: Uint8Array): number[] {
  const view = new ByteView(section);
  const pids: number[] = [];
  for (let at = 8; at + 4 <= section.length - 4; at += 4) {
    if (view.u16(at) !== 0) pids.push(view.u16(at + 2) & 0x1fff);
  }
  return pids;
}

export interface ProgramMap {
  readonly pcrPid: number;
  readonly streams: readonly ProgramStream[];
  /**
   * The section without the removed streams (by their PID) and without descriptors that hold more than players need.
   */
  scrubbed(stays: (pid: number) => boolean): Uint8Array;
}

/** Reads a program map section (ISO/IEC 13818-1, section 2.4.4.8). */
export function readProgramMap(section: Uint8Array): ProgramMap {
  const view = new ByteView(section);
  const end = section.length - 4;
  const programEnd = 12 + (view.u16(10) & 0xfff);
  const program = descriptorsIn(view, 12, Math.min(programEnd, end));
  const isBluRay = program.some(({ tag, body }) => tag === REGISTRATION && ascii(body, 0, 4) === 'HDMV');

  const streams: ProgramStream[] = [];
  const entries: Uint8Array[] = [];
  for (let at = programEnd; at + 5 <= end;) {
    const bodyEnd = Math.min(at + 5 + (view.u16(at + 3) & 0xfff), end);
    const descriptors = descriptorsIn(view, at + 5, bodyEnd);
    streams.push({ pid: view.u16(at + 1) & 0x1fff, ...classify(view.u8(at), descriptors, isBluRay) });
    entries.push(Buffer.concat([section.subarray(at, at + 3), keptDescriptors(descriptors)]));
    at = bodyEnd;
  }
  return {
    pcrPid: view.u16(8) & 0x1fff,
    streams,
    scrubbed: (stays) => {
      const kept = entries.filter((_, index) => stays(streams[index]?.pid ?? -1));
      return finished(Buffer.concat([section.subarray(0, 10), keptDescriptors(program), ...kept]));
    },
  };
}

interface Descriptor {
  readonly tag: number;
  readonly body: Uint8Array;
}

/**
 * The video codec of a `stream_type`; undefined if the type is not a video's.
 * @throws UnsupportedVariantError if the codec isn't accepted.
 */
export function videoCodec(type: number): ElementaryCodec | undefined {
  const unsupported = UNSUPPORTED_TYPES.get(type);
  if (unsupported) throw unsupportedCodec(unsupported);
  return VIDEO_TYPES[type];
}

function descriptorsIn(view: ByteView, from: number, to: number): Descriptor[] {
  const descriptors: Descriptor[] = [];
  for (let at = from; at + 2 <= to;) {
    const end = at + 2 + view.u8(at + 1);
    if (end > to) break;
    descriptors.push({ tag: view.u8(at), body: view.bytes.subarray(at + 2, end) });
    at = end;
  }
  return descriptors;
}

/**
 * The kept descriptors with their length in front. A registration keeps only its four-letter code, because anything
 * may follow it.
 */
function keptDescriptors(descriptors: readonly Descriptor[]): Uint8Array {
  const kept = descriptors
    .filter((descriptor) => KEPT_DESCRIPTORS.has(descriptor.tag) || isCopyControl(descriptor))
    .map(({ tag, body }) => ({ tag, body: tag === REGISTRATION ? body.subarray(0, 4) : body }));
  const bytes = Buffer.concat(kept.map(({ tag, body }) => Buffer.from([tag, body.length, ...body])));
  return Buffer.from([0xf0 | (bytes.length >> 8), bytes.length & 0xff, ...bytes]);
}

/** Whether this is the copy control of Blu-ray and AVCHD as recorders write it (DTCP, `DTCP_descriptor`). */
function isCopyControl({ tag, body }: Descriptor): boolean {
  return tag === 0x88 && body.length === 4 && ascii(body, 0, 4) === '\x0f\xff\xfc\xfc';
}

/** Sets a section's length and appends its CRC. */
function finished(body: Uint8Array): Uint8Array {
  const section = Buffer.concat([body, Buffer.alloc(4)]);
  const length = section.length - 3;
  section.writeUInt16BE((section.readUInt16BE(1) & 0xf000) | length, 1);
  section.writeUInt32BE(crc32Msb(section.subarray(0, -4)), section.length - 4);
  return section;
}

function classify(
  type: number,
  descriptors: readonly Descriptor[],
  isBluRay: boolean,
): Omit<ProgramStream, 'pid'> {
  const video = videoCodec(type);
  if (video !== undefined) return { kind: 'video', codec: video };
  if (AUDIO_TYPES.has(type) || (isBluRay && BLU_RAY_AUDIO.has(type))) return { kind: 'audio', codec: null };
  if (!PRIVATE_TYPES.has(type)) return { kind: null, codec: null };
  const registration = descriptors.find(({ tag }) => tag === REGISTRATION);
  const code = registration ? ascii(registration.body, 0, 4) : '';
  if (code === UNSUPPORTED_REGISTRATION) throw unsupportedCodec('Dirac');
  const registered = Object.hasOwn(VIDEO_REGISTRATIONS, code) ? VIDEO_REGISTRATIONS[code] : undefined;
  if (registered !== undefined) return { kind: 'video', codec: registered };
  const isAudio = AUDIO_REGISTRATIONS.has(code) || descriptors.some(({ tag }) => AUDIO_DESCRIPTORS.has(tag));
  const isIdentified = descriptors.some(({ tag }) => !INDIFFERENT_DESCRIPTORS.has(tag));
  return { kind: isAudio ? 'audio' : isIdentified ? null : 'private', codec: null };
}
