import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import { displayedSize, SQUARE, type Ratio, type Size } from '../../facts/displayed-size';
import { scrubFlacBlocks } from '../../metadata/flac-metadata';
import { scrubAv1Configuration } from '../elementary/av1-metadata';
import { scrubVorbisComment, lacedComment, XIPH_SIGNATURE } from '../../metadata/vorbis-comment';
import {
  codecOfLetters,
  PICTURE_CODECS,
  unsupportedCodec,
  type PictureCodec,
} from '../elementary/picture-codecs';
import type { SampleCoding } from '../elementary/sample-scrubber';
import { nalLengthSize, recordComments, type NalCodec } from '../elementary/sei-comments';
import { scrubMpeg4Headers } from '../elementary/user-data';
import {
  childOf,
  elementsIn,
  floatOf,
  neutralise,
  scrubElements,
  textOf,
  uintOf,
  type Element,
  type ElementRules,
} from './ebml';

const TRACK_ENTRY = 0xae;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const CONTENT_ENCODINGS = 0x6d80;
const VIDEO = 0xe0;
const PROJECTION = 0x7670;

/** A kept track: sound or moving picture. */
export interface Track {
  readonly number: number;
  readonly kind: 'video' | 'audio';
  readonly codec: string;
  /** Pixels as displayed; only of video tracks. */
  readonly size?: Size;
  /** Nanoseconds of one frame, if the track gives them; else 0. */
  readonly frameDuration: number;
  /** How its samples are coded, if they may hold comments. */
  readonly coding: SampleCoding | null;
}

const COLOUR: ElementRules = {
  ...keep(
    0x55b1,
    0x55b2,
    0x55b3,
    0x55b4,
    0x55b5,
    0x55b6,
    0x55b7,
    0x55b8,
    0x55b9,
    0x55ba,
    0x55bb,
    0x55bc,
    0x55bd,
  ),
  0x55d0: keep(0x55d1, 0x55d2, 0x55d3, 0x55d4, 0x55d5, 0x55d6, 0x55d7, 0x55d8, 0x55d9, 0x55da),
};

/**
 * The elements that playing a track needs (RFC 9559, section 5.1.4). Names, codec names, links and unknown elements
 * are removed, and so are crops (`PixelCrop*`), which ffmpeg from 7.1 on applies, but browsers don't.
 */
const ENTRY: ElementRules = {
  ...keep(0xd7, 0x73c5, 0x83, 0xb9, 0x88, 0x55aa, 0x9c, 0x6de7, 0x6df8, 0x23e383, 0x234e7a, 0x23314f, 0x537f),
  ...keep(0x55ee, 0x22b59c, 0x22b59d, CODEC_ID, CODEC_PRIVATE, 0xaa, 0x56aa, 0x56bb),
  ...keep(0x55ab, 0x55ac, 0x55ad, 0x55ae, 0x55af),
  0x41e4: keep(0x41f0, 0x41e7, 0x41ed),
  [VIDEO]: {
    ...keep(0x9a, 0x9d, 0x53b8, 0x53c0, 0x53b9, 0xb0, 0xba, 0x54b0, 0x54ba, 0x54b2),
    ...keep(0x54b3, 0x2eb524, 0x2fb523, 0x2383e3),
    0x55b0: COLOUR,
    [PROJECTION]: keep(0x7671, 0x7672, 0x7673, 0x7674, 0x7675),
  },
  0xe1: keep(0xb5, 0x78b5, 0x9f, 0x6264, 0x7d7b, 0x52f1),
  0xe2: { 0xe3: { 0xe4: keep(0xe5, 0xe6) }, 0xe9: keep(0xed) },
  [CONTENT_ENCODINGS]: { 0x6240: { ...keep(0x5031, 0x5032, 0x5033), 0x5034: keep(0x4254, 0x4255) } },
};

function keep(...ids: number[]): ElementRules {
  return Object.fromEntries(ids.map((id) => [id, 'keep' as const]));
}

/** Scrubs a whole Tracks element in place, and returns the kept tracks. All others become Void. */
export function scrubTracks(view: ByteView, tracks: Element): Track[] {
  const kept: Track[] = [];
  scrubElements(view, tracks.body, tracks.end, {
    [TRACK_ENTRY]: (_, entry) => {
      const track = readTrack(view, entry);
      if (!track) return neutralise(view, entry);
      scrubCodecPrivate(view, entry, track.codec);
      scrubElements(view, entry.body, entry.end, ENTRY);
      kept.push(track);
    },
  });
  return kept;
}

/**
 * Null for subtitles (in which drones write their position), buttons, metadata and anything else that is neither
 * sound nor picture.
 */
function readTrack(view: ByteView, entry: Element): Track | null {
  const number = (parent: Element, id: number): number => {
    const element = childOf(view, parent, id);
    return element ? uintOf(view, element) : 0;
  };
  const type = number(entry, 0x83);
  if (type !== 1 && type !== 2) return null;
  const codecId = childOf(view, entry, CODEC_ID);
  const video = type === 1 ? childOf(view, entry, VIDEO) : undefined;
  if (type === 1 && !video) throw new UnreadableFileError('A picture track has no size.');
  const codec = codecId ? textOf(view, codecId, 64) : '';
  return {
    number: number(entry, 0xd7),
    kind: type === 1 ? 'video' : 'audio',
    codec,
    frameDuration: number(entry, 0x23e383),
    ...(video ? { size: pictureSize(view, video) } : {}),
    coding: video ? sampleCoding(view, entry, codec) : null,
  };
}

/** @throws UnsupportedVariantError if the codec isn't accepted, or if its samples can't be scrubbed in place. */
function sampleCoding(view: ByteView, entry: Element, codec: string): SampleCoding | null {
  const element = childOf(view, entry, CODEC_PRIVATE);
  const headers = element ? view.slice(element.body, element.end) : null;
  const coding = codingOf(codec, headers);
  if (coding && childOf(view, entry, CONTENT_ENCODINGS))
    throw new UnsupportedVariantError('Matroska with compressed or encrypted frames is not supported.');
  return coding;
}

function codingOf(codec: string, headers: ByteView | null): SampleCoding | null {
  const nal = NAL_CODECS[codec];
  const lengthSize = nal && headers && nalLengthSize(nal, headers.bytes);
  if (nal && lengthSize) return { codec: nal, lengthSize };
  if (codec === 'V_MS/VFW/FOURCC' && headers && headers.length >= 20)
    return codecOfLetters(headers.ascii(16, 4)).coding;
  if (codec === 'V_QUICKTIME' && headers && headers.length >= 8)
    return codecOfLetters(headers.ascii(4, 4), true).coding;
  const known = Object.hasOwn(CODECS, codec) ? CODECS[codec] : undefined;
  if (!known) throw unsupportedCodec(codec.replace(/^V_/, ''));
  return known.coding;
}

const NAL_CODECS: Readonly<Record<string, NalCodec>> = {
  'V_MPEG4/ISO/AVC': 'h264',
  'V_MPEGH/ISO/HEVC': 'hevc',
};

const CODECS: Readonly<Record<string, PictureCodec>> = {
  'V_MPEG4/ISO/AVC': PICTURE_CODECS.h264,
  'V_MPEGH/ISO/HEVC': PICTURE_CODECS.hevc,
  V_AV1: PICTURE_CODECS.av1,
  V_VP8: PICTURE_CODECS.vp8,
  V_VP9: PICTURE_CODECS.vp9,
  V_MPEG1: PICTURE_CODECS.mpeg,
  V_MPEG2: PICTURE_CODECS.mpeg,
  'V_MPEG4/ISO/SP': PICTURE_CODECS.mpeg4,
  'V_MPEG4/ISO/ASP': PICTURE_CODECS.mpeg4,
  'V_MPEG4/ISO/AP': PICTURE_CODECS.mpeg4,
  'V_MPEG4/MS/V3': PICTURE_CODECS.microsoftMpeg4,
  V_THEORA: PICTURE_CODECS.theora,
  V_MJPEG: PICTURE_CODECS.motionJpeg,
  V_PRORES: PICTURE_CODECS.production,
  V_FFV1: PICTURE_CODECS.ffv1,
  V_UNCOMPRESSED: PICTURE_CODECS.uncompressed,
};

function pictureSize(view: ByteView, video: Element): Size {
  const value = (id: number): number | undefined => {
    const element = childOf(view, video, id);
    return element && uintOf(view, element);
  };
  const coded = { width: value(0xb0) ?? 0, height: value(0xba) ?? 0 };
  const unitIsKnown = (value(0x54b2) ?? 0) <= 3;
  const [width, height] = [value(0x54b0), value(0x54ba)];
  const aspect: Ratio =
    unitIsKnown && width && height ? { num: width * coded.height, den: height * coded.width } : SQUARE;
  return displayedSize(coded, aspect, isSideways(view, video));
}

/** Whether a flat picture is rolled by 90° or 270°. */
function isSideways(view: ByteView, video: Element): boolean {
  const projection = childOf(view, video, PROJECTION);
  const type = projection && childOf(view, projection, 0x7671);
  const roll = projection && childOf(view, projection, 0x7675);
  if (!roll || (type && uintOf(view, type) !== 0)) return false;
  return Math.abs(Math.round(floatOf(view, roll) / 90)) % 2 === 1;
}

/** Removes comments from the headers of codecs that hold some. */
function scrubCodecPrivate(view: ByteView, entry: Element, codec: string): void {
  const scrub = CODEC_COMMENTS[codec];
  const element = childOf(view, entry, CODEC_PRIVATE);
  if (!scrub || !element) return;
  if (isEncoded(view, entry) && codec.startsWith('V_MPEG')) return;
  if (isEncoded(view, entry)) throw new UnreadableFileError('The codec’s headers are compressed.');
  scrub(view.slice(element.body, element.end));
}

const CODEC_COMMENTS: Readonly<Record<string, (headers: ByteView) => void>> = {
  A_VORBIS: (headers) => scrubVorbisComment(lacedComment(headers).slice(XIPH_SIGNATURE)),
  V_THEORA: (headers) => scrubVorbisComment(lacedComment(headers).slice(XIPH_SIGNATURE)),
  'V_MPEG4/ISO/AVC': scrubRecord('h264'),
  'V_MPEGH/ISO/HEVC': scrubRecord('hevc'),
  'V_MPEG4/ISO/SP': ({ bytes }) => scrubMpeg4Headers(bytes),
  'V_MPEG4/ISO/ASP': ({ bytes }) => scrubMpeg4Headers(bytes),
  'V_MPEG4/ISO/AP': ({ bytes }) => scrubMpeg4Headers(bytes),
  V_AV1: ({ bytes }) => scrubAv1Configuration(bytes),
  A_FLAC: (headers) => scrubFlacBlocks(headers.slice(Math.min(4, headers.length))),
};

function scrubRecord(codec: NalCodec): (headers: ByteView) => void {
  return ({ bytes }) => {
    for (const { from, to } of recordComments(codec, bytes)) bytes.fill(0xff, from, to);
  };
}

/** Whether a content encoding covers the codec's headers (scope bit 2). */
function isEncoded(view: ByteView, entry: Element): boolean {
  const encodings = childOf(view, entry, CONTENT_ENCODINGS);
  if (!encodings) return false;
  return elementsIn(view, encodings.body, encodings.end).some((encoding) => {
    const scope = childOf(view, encoding, 0x5032);
    return scope !== undefined && (uintOf(view, scope) & 2) !== 0;
  });
}
