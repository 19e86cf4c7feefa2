import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import { displayedSize } from '../../facts/displayed-size';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { inPlace } from '../../rewriting/in-place';
import { Redaction } from '../../rewriting/redaction';
import { scrubHeader, type AsfHeader } from './asf-header';
import { GUID, guidAt, OBJECT_HEADER, PADDING_GUID, type AsfObject } from './asf-object';
import { readPayloads } from './asf-packet';

/** Headers are smaller, even with album pictures. */
const MAX_HEADER = 1 << 24;
const MAX_PACKET = 1 << 16;
/** Least bytes of a packet; encoders write a kilobyte and more. */
const MAX_PACKETS = 1_000_000;
/** Bytes after the data object's header: file id, count, reserved. */
const DATA_FIELDS = 26;
const MAX_OBJECTS = 1000;
const INDEXES: ReadonlySet<string> = new Set([
  GUID.simpleIndex,
  GUID.index,
  GUID.mediaObjectIndex,
  GUID.timecodeIndex,
]);

/** Reads ASF (Windows Media) and turns objects that a player doesn't need into padding of the same size. */
export async function inspectAsf(source: ByteSource): Promise<Inspection> {
  const redaction = new Redaction(source);
  const window = new SourceWindow(source);
  const first = await readObject(window, 0);
  if (first?.guid !== GUID.header || first.end > source.size)
    throw new UnreadableFileError('The header is truncated.');
  const header = await inPlace(window, redaction, first, MAX_HEADER, scrubHeader);
  if (!header.video) {
    if (header.hasAudio) throw new UnsupportedFormatError('The file has no picture.');
    throw new UnreadableFileError('The file has no stream to show.');
  }

  let at = first.end;
  let hasData = false;
  for (let count = 0; ; count++) {
    if (count >= MAX_OBJECTS) throw new UnreadableFileError('The file holds too many objects.');
    const object = await readObject(window, at);
    if (!object) break;
    if (object.guid === GUID.data && !hasData) {
      hasData = true;
      // The data object of a live recording has no size: it ends with the file.
      const isOpen = object.end <= object.body || object.end > source.size;
      at = isOpen ? source.size : object.end;
      await scrubData(window, redaction, { ...object, end: at }, header);
      continue;
    }
    if (object.end > source.size || object.end < object.body) break;
    if (!INDEXES.has(object.guid)) {
      redaction.overwrite(object.start, PADDING_GUID);
      redaction.fill(object.body, object.end);
    }
    at = object.end;
  }
  redaction.cut(at, source.size);
  if (!hasData) throw new UnreadableFileError('The file holds no data.');
  return {
    facts: videoFacts('asf', displayedSize(header.video.size, header.video.aspect), header.duration),
    rewrite: await redaction.rewrite(),
  };
}

async function readObject(window: SourceWindow, at: number): Promise<AsfObject | null> {
  const view = await window.at(at, OBJECT_HEADER);
  if (view.length < OBJECT_HEADER) return null;
  return { guid: guidAt(view, 0), start: at, body: at + OBJECT_HEADER, end: at + view.u64le(16) };
}

/** Zeroes the padding of all data packets, and the payloads of removed streams. */
async function scrubData(
  window: SourceWindow,
  redaction: Redaction,
  data: AsfObject,
  header: AsfHeader,
): Promise<void> {
  const { packetSize, kept } = header;
  if (packetSize < 16 || packetSize > MAX_PACKET)
    throw new UnreadableFileError('The packets have no plausible size.');
  if ((data.end - data.body) / packetSize > MAX_PACKETS)
    throw new UnreadableFileError('The packets are too small.');
  let at = data.body + DATA_FIELDS;
  for (; at + packetSize <= data.end; at += packetSize) {
    const packet = await window.at(at, packetSize);
    for (const { stream, from, to } of readPayloads(packet)) {
      if (stream !== null && kept.has(stream)) continue;
      if (packet.bytes.subarray(from, to).some((byte) => byte !== 0)) redaction.fill(at + from, at + to);
    }
  }
  redaction.fill(at, data.end);
}
