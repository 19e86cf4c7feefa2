import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import type { Inspection } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { isSoftwareText } from '../../metadata/software-name';
import { inPlace } from '../../rewriting/in-place';
import { Redaction } from '../../rewriting/redaction';
import { Clusters, readElement, redactElement } from './cluster';
import {
  childOf,
  floatOf,
  neutralise,
  scrubElements,
  textOf,
  uintOf,
  type Element,
  type ElementRules,
} from './ebml';
import { ID } from './ids';
import { scrubTags } from './tags';
import { scrubTracks, type Track } from './track';

const DROPPED: ReadonlySet<number> = new Set([ID.attachments, ID.chapters]);
/** An index of hours of video is smaller. */
const MAX_IN_MEMORY = 1 << 23;
const MAX_TRACKS = 1 << 20;
const MAX_LEVEL_ONE = 200_000;
const MILLISECOND = 1_000_000;
/** Codecs of stills; a track of one such picture is a cover. */
const STILL_CODECS = /^V_MJPEG$|^V_PNG$/;

const DOC_TYPE = 0x4282;
const HEADER: ElementRules = {
  0x4286: 'keep',
  0x42f7: 'keep',
  0x42f2: 'keep',
  0x42f3: 'keep',
  [DOC_TYPE]: 'keep',
  0x4287: 'keep',
  0x4285: 'keep',
};
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const SEGMENT_UID_SIZE = 16;
const INFO: ElementRules = {
  [TIMESTAMP_SCALE]: 'keep',
  [DURATION]: 'keep',
  0x4d80: scrubProgram,
  0x5741: scrubProgram,
  // A random number, which identifies no other file.
  0x73a4: (view, element) => {
    if (element.end - element.body !== SEGMENT_UID_SIZE) neutralise(view, element);
  },
};
const CUES: ElementRules = {
  0xbb: {
    0xb3: 'keep',
    0xb7: { 0xf7: 'keep', 0xf1: 'keep', 0xf0: 'keep', 0xb2: 'keep', 0x5378: 'keep', 0xea: 'keep' },
  },
};
const SEEK = 0x4dbb;
const SEEK_ID = 0x53ab;
const SEEK_POSITION = 0x53ac;

/**
 * Reads Matroska and WebM (RFC 9559), and turns elements that no player needs into Void elements of the same size.
 */
export async function inspectMatroska(source: ByteSource): Promise<Inspection> {
  const redaction = new Redaction(source);
  const window = new SourceWindow(source);
  const header = await readElement(window, 0);
  if (header?.id !== ID.ebml || header.end > source.size)
    throw new UnreadableFileError('The EBML header is missing.');
  const docType = await inPlace(window, redaction, header, MAX_IN_MEMORY, (view, { body, end }) => {
    scrubElements(view, body, end, HEADER);
    const element = childOf(view, { id: ID.ebml, start: 0, body, end }, DOC_TYPE);
    return element ? textOf(view, element, 16) : '';
  });
  if (docType !== 'webm' && docType !== 'matroska')
    throw new UnreadableFileError('The EBML file is not a video.');

  const segment = await segmentAfter(window, redaction, header.end);
  const { tracks, duration } = await scrubSegment(source, window, redaction, segment);
  const video = tracks.find((track) => track.kind === 'video');
  if (!video?.size) {
    if (tracks.length > 0) throw new UnsupportedFormatError('The file has no picture track.');
    throw new UnreadableFileError('The file has no track to show.');
  }
  return {
    facts: videoFacts('matroska', video.size, duration, docType === 'webm'),
    rewrite: await redaction.rewrite(),
  };
}

/** The segment, which may follow Void elements. It ends early if the file is truncated. */
async function segmentAfter(window: SourceWindow, redaction: Redaction, from: number): Promise<Element> {
  let at = from;
  for (let skipped = 0; skipped < 16; skipped++) {
    const element = await readElement(window, at);
    if (!element) break;
    if (element.id === ID.segment) return { ...element, end: Math.min(element.end, window.size) };
    if (element.end > window.size) break;
    redactElement(redaction, element);
    at = element.end;
  }
  throw new UnreadableFileError('The file holds no segment.');
}

/** Scrubs the segment and the bytes after it. */
async function scrubSegment(
  source: ByteSource,
  window: SourceWindow,
  redaction: Redaction,
  segment: Element,
): Promise<{ tracks: readonly Track[]; duration: number }> {
  const change = <T>(element: Element, scrub: (view: ByteView, element: Element) => T): Promise<T> => {
    const limit = element.id === ID.tracks ? MAX_TRACKS : MAX_IN_MEMORY;
    return inPlace(window, redaction, element, limit, scrub);
  };
  let tracks: readonly Track[] | undefined;
  let info: Info | undefined;
  let clusters: Clusters | undefined;
  const seekHeads: Element[] = [];
  /** Positions in the segment of the kept tags. */
  const tags = new Set<number>();
  let at = segment.body;
  for (let count = 0; at < segment.end; count++) {
    if (count >= MAX_LEVEL_ONE) throw new UnreadableFileError('The segment holds too many elements.');
    const element = await readElement(window, at);
    if (element?.id === ID.cluster && tracks) {
      clusters ??= new Clusters(window, redaction, tracks, info?.tickNanoseconds ?? MILLISECOND);
      at = await clusters.scrub(element, segment.end);
      continue;
    }
    if (!element || element.id === ID.cluster || element.end > segment.end) break;
    if (element.id === ID.tracks && !tracks) tracks = await change(element, scrubTracks);
    else if (element.id === ID.info && !info) info = await change(element, scrubInfo);
    else if (element.id === ID.seekHead) seekHeads.push(element);
    else if (element.id === ID.tags && element.end - element.start <= MAX_IN_MEMORY) {
      if (await change(element, scrubTags)) tags.add(element.start - segment.body);
    } else if (element.id === ID.cues) await change(element, scrubWith(CUES));
    else redactElement(redaction, element);
    at = element.end;
  }
  for (const element of seekHeads) await change(element, (view, head) => scrubSeekHead(view, head, tags));
  redaction.cut(at, source.size);
  if (!tracks || !clusters) throw new UnreadableFileError('The file has no tracks or no data.');
  const seen = clusters;
  return {
    tracks: tracks.filter((track) => !STILL_CODECS.test(track.codec) || seen.blocksOf(track) > 1),
    duration: info?.duration || seen.end,
  };
}

interface Info {
  readonly tickNanoseconds: number;
  /** Seconds; 0 if unknown. */
  readonly duration: number;
}

function scrubInfo(view: ByteView, element: Element): Info {
  const scale = childOf(view, element, TIMESTAMP_SCALE);
  const duration = childOf(view, element, DURATION);
  const tickNanoseconds = scale ? uintOf(view, scale) : MILLISECOND;
  const ticks = duration ? floatOf(view, duration) : 0;
  scrubWith(INFO)(view, element);
  return { tickNanoseconds, duration: ticks > 0 ? (ticks * tickNanoseconds) / 1e9 : 0 };
}

function scrubWith(rules: ElementRules): (view: ByteView, element: Element) => void {
  return (view, { body, end }) => scrubElements(view, body, end, rules);
}

/** The names of the programs are mandatory, but may be empty: zeros end an EBML string. */
function scrubProgram(view: ByteView, { body, end }: Element): void {
  const text = view.bytes.subarray(body, end);
  if (!isSoftwareText(text)) text.fill(0);
}

/** Removes references to removed elements from a SeekHead. `tags`: positions in the segment of the kept tags. */
function scrubSeekHead(view: ByteView, head: Element, tags: ReadonlySet<number>): void {
  const value = (seek: Element, id: number): number => {
    const element = childOf(view, seek, id);
    return element ? uintOf(view, element) : 0;
  };
  scrubElements(view, head.body, head.end, {
    [SEEK]: (_, seek) => {
      const id = value(seek, SEEK_ID);
      const isGone = id === ID.tags && !tags.has(value(seek, SEEK_POSITION));
      if (id === 0 || DROPPED.has(id) || isGone) neutralise(view, seek);
      else scrubElements(view, seek.body, seek.end, { [SEEK_ID]: 'keep', [SEEK_POSITION]: 'keep' });
    },
  });
}
