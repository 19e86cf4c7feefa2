import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError } from '../../errors/file-errors';
import { SQUARE, type Ratio, type Size } from '../../facts/displayed-size';
import { GUID, guidAt, neutralise, objectsIn, type AsfObject } from './asf-object';
import { codecOfLetters, unsupportedCodec } from '../elementary/picture-codecs';
import { scrubCodecList, scrubDescriptions } from './asf-software';

export interface AsfHeader {
  /** The numbers of the streams that are kept. */
  readonly kept: ReadonlySet<number>;
  /** Whether there are other streams, whose payloads must be removed. */
  readonly hasOthers: boolean;
  readonly hasAudio: boolean;
  readonly video: { readonly size: Size; readonly aspect: Ratio } | null;
  /** Bytes of a data packet. */
  readonly packetSize: number;
  /** Seconds. */
  readonly duration: number;
}

interface Stream {
  readonly number: number;
  readonly kind: 'video' | 'audio' | null;
  readonly size: Size | null;
}

/** Objects that a player needs and that hold nothing else. */
const KEPT: ReadonlySet<string> = new Set([
  GUID.bitrateMutualExclusion, GUID.errorCorrection, GUID.streamBitrates, GUID.advancedMutualExclusion,
  GUID.streamPrioritization, GUID.indexParameters, GUID.compatibility,
]); // prettier-ignore
/** The first second of 1970 in the file's unit of time, which muxers write if they don't know the date. */
const NO_DATE = Buffer.from('00803ed5deb19d01', 'hex');
const ENCRYPTED: ReadonlySet<string> = new Set([GUID.contentEncryption, GUID.extendedContentEncryption]);

/** Bytes after an object's header: the fields of an extended stream properties object before its names. */
const EXTENDED_FIELDS = 64;
const CHILDREN = 30;
const EXTENSION_CHILDREN = 46;

/** Scrubs a whole header object in place, and returns what it says about the streams. */
export function scrubHeader(view: ByteView, header: AsfObject): AsfHeader {
  const objects = objectsIn(view, header.start + CHILDREN, header.end);
  if (objects.some(({ guid }) => ENCRYPTED.has(guid)))
    throw new UnreadableFileError('The file is encrypted.');
  const extension = objects.find(({ guid }) => guid === GUID.headerExtension);
  const extended = extension ? objectsIn(view, extension.start + EXTENSION_CHILDREN, extension.end) : [];
  const embedded = extended.flatMap((object) => embeddedStream(view, object));
  const streams = [...objects, ...embedded]
    .filter(({ guid }) => guid === GUID.streamProperties)
    .map((object) => readStream(view, object));
  const properties = objects.find(({ guid }) => guid === GUID.fileProperties);
  if (!properties) throw new UnreadableFileError('The header has no file properties.');

  const others = new Set(streams.filter(({ kind }) => kind === null).map(({ number }) => number));
  const kept = new Set(streams.map(({ number }) => number).filter((number) => !others.has(number)));
  const video = streams.find((stream) => stream.kind === 'video' && kept.has(stream.number));
  const result: AsfHeader = {
    kept,
    hasOthers: others.size > 0,
    hasAudio: streams.some(({ kind }) => kind === 'audio'),
    video: video?.size ? { size: video.size, aspect: readAspect(view, extended, video.number) } : null,
    packetSize: view.u32le(properties.body + 72),
    duration: Math.max(0, view.u64le(properties.body + 40) / 1e7 - view.u64le(properties.body + 56) / 1000),
  };

  for (const object of objects) if (object !== extension) scrubObject(view, object, kept);
  for (const object of extended) scrubObject(view, object, kept);
  if (extension)
    view.bytes.fill(0, extended.at(-1)?.end ?? extension.start + EXTENSION_CHILDREN, extension.end);
  view.bytes.fill(0, objects.at(-1)?.end ?? header.start + CHILDREN, header.end);
  return result;
}

function scrubObject(view: ByteView, object: AsfObject, kept: ReadonlySet<number>): void {
  switch (object.guid) {
    case GUID.fileProperties: {
      const date = view.slice(object.body + 24, object.body + 32);
      if (Buffer.compare(date.bytes, NO_DATE) !== 0) date.bytes.fill(0);
      return;
    }
    case GUID.extendedContentDescription:
      scrubDescriptions(view, object);
      return;
    case GUID.codecList:
      scrubCodecList(view, object);
      return;
    case GUID.streamProperties:
      if (!kept.has(streamNumber(view, object.body + 48))) neutralise(view, object);
      return;
    case GUID.extendedStreamProperties:
      if (kept.has(streamNumber(view, object.body + 48))) blankNames(view, object);
      else neutralise(view, object);
      return;
    case GUID.languageList:
      return;
    case GUID.metadata:
      scrubMetadata(view, object);
      return;
    default:
      if (!KEPT.has(object.guid)) neutralise(view, object);
  }
}

function streamNumber(view: ByteView, at: number): number {
  return view.u16le(at) & 0x7f;
}

function readStream(view: ByteView, { body, end }: AsfObject): Stream {
  const type = guidAt(view, body);
  const number = streamNumber(view, body + 48);
  if (type === GUID.audioMedia) return { number, kind: 'audio', size: null };
  if (type !== GUID.videoMedia || end < body + 62) return { number, kind: null, size: null };
  assertCarriesNothing(view.slice(body, end));
  return { number, kind: 'video', size: { width: view.u32le(body + 54), height: view.u32le(body + 58) } };
}

/** Position of the four letters in the properties of a video stream (ASF specification, 9.2). */
const COMPRESSION_AT = 54 + 11 + 16;

/** Samples are cut into packets, and are not scrubbed. */
function assertCarriesNothing(properties: ByteView): void {
  const code = properties.length < COMPRESSION_AT + 4 ? '' : properties.ascii(COMPRESSION_AT, 4);
  if (codecOfLetters(code).coding) throw unsupportedCodec(code);
}

/** The ends of the names, which come first, and of the payload extensions after them. */
function extendedEnds(
  view: ByteView,
  { body, end }: AsfObject,
): { names: { from: number; to: number }[]; end: number } {
  let at = body + EXTENDED_FIELDS;
  const names: { from: number; to: number }[] = [];
  for (let left = view.u16le(body + 60); left > 0 && at + 4 <= end; left--) {
    const to = Math.min(at + 4 + view.u16le(at + 2), end);
    names.push({ from: at + 4, to });
    at = to;
  }
  for (let left = view.u16le(body + 62); left > 0 && at + 22 <= end; left--) at += 22 + view.u32le(at + 18);
  return { names, end: Math.min(at, end) };
}

function embeddedStream(view: ByteView, object: AsfObject): AsfObject[] {
  if (object.guid !== GUID.extendedStreamProperties) return [];
  return objectsIn(view, extendedEnds(view, object).end, object.end);
}

function blankNames(view: ByteView, object: AsfObject): void {
  const { names, end } = extendedEnds(view, object);
  for (const { from, to } of names) view.bytes.fill(0, from, to);
  const embedded = objectsIn(view, end, object.end);
  view.bytes.fill(0, embedded.at(-1)?.end ?? end, object.end);
}

interface MetadataRecord {
  readonly stream: number;
  readonly name: string;
  readonly from: number;
  readonly value: number;
  readonly to: number;
}

function metadataRecords(view: ByteView, { body, end }: AsfObject): MetadataRecord[] {
  const records: MetadataRecord[] = [];
  let at = body + 2;
  for (let left = view.u16le(body); left > 0 && at + 12 <= end; left--) {
    const from = at + 12;
    const value = from + view.u16le(at + 4);
    const to = value + view.u32le(at + 8);
    if (to > end) break;
    const name = Buffer.from(view.slice(from, value).bytes).toString('utf16le').split('\0', 1)[0] ?? '';
    records.push({ stream: view.u16le(at + 2), name, from, value, to });
    at = to;
  }
  return records;
}

/** Removes the metadata of streams, except the aspect ratio of a pixel. */
function scrubMetadata(view: ByteView, object: AsfObject): void {
  const records = metadataRecords(view, object);
  if (!records.some(isAspect)) return neutralise(view, object);
  for (const record of records) if (!isAspect(record)) view.bytes.fill(0, record.from, record.to);
  view.bytes.fill(0, records.at(-1)?.to ?? object.end, object.end);
}

function isAspect({ name, value, to }: MetadataRecord): boolean {
  return /^AspectRatio[XY]$/.test(name) && to - value <= 8;
}

function readAspect(view: ByteView, objects: readonly AsfObject[], stream: number): Ratio {
  const metadata = objects.find(({ guid }) => guid === GUID.metadata);
  const records = metadata
    ? metadataRecords(view, metadata).filter((record) => record.stream === stream)
    : [];
  const value = (name: string): number => {
    const record = records.find(
      (candidate) => candidate.name === name && candidate.to - candidate.value >= 2,
    );
    return record ? view.u16le(record.value) : 0;
  };
  const [num, den] = [value('AspectRatioX'), value('AspectRatioY')];
  return num && den ? { num, den } : SQUARE;
}
