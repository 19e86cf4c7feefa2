import type { ByteView } from '../../bytes/byte-view';
import type { Ratio, Size } from '../../facts/displayed-size';
import { scrubFlacBlocks } from '../../metadata/flac-metadata';
import { scrubVorbisComment, XIPH_SIGNATURE } from '../../metadata/vorbis-comment';

/** The content of a logical stream, by its first packet. */
export interface OggCodec {
  readonly kind: 'video' | 'audio';
  /**
   * Empties the comments of a header packet after the first, in place. Returns whether more header packets follow.
   */
  scrubHeader(packet: ByteView, index: number): boolean;
  /** Only of video. */
  readonly size?: Size;
  readonly aspect?: Ratio;
  /** Seconds at which the picture with this granule position ends. */
  seconds?(granule: bigint): number;
}

/** Null for anything that is neither sound nor moving picture, or is unknown: skeletons, subtitles, CMML. */
export function oggCodec(first: ByteView): OggCodec | null {
  const [, read] = CODECS.find(([signature]) => startsWith(first, signature)) ?? [];
  return read ? read(first) : null;
}

const CODECS: readonly (readonly [string, (first: ByteView) => OggCodec])[] = [
  ['\x80theora', theora],
  ['OVP80\x01', vp8],
  ['\x01vorbis', () => audio(XIPH_SIGNATURE)],
  ['OpusHead', () => audio('OpusTags'.length)],
  ['Speex   ', () => audio(0)],
  ['\x7fFLAC', flac],
];

function startsWith(packet: ByteView, signature: string): boolean {
  return packet.length >= signature.length && packet.ascii(0, signature.length) === signature;
}

/** A codec whose second packet is a Vorbis comment after a signature. */
function audio(signature: number): OggCodec {
  return { kind: 'audio', scrubHeader: scrubComment(signature) };
}

function scrubComment(signature: number): OggCodec['scrubHeader'] {
  return (packet) => {
    scrubVorbisComment(packet.slice(Math.min(signature, packet.length)));
    return false;
  };
}

/** Theora specification, section 6.2. Granule positions count the frames up to the last key frame and those since. */
function theora(first: ByteView): OggCodec {
  const shift = BigInt((first.u16(40) >> 5) & 31);
  const rate = first.u32(22) / (first.u32(26) || 1);
  return {
    kind: 'video',
    scrubHeader: scrubComment(XIPH_SIGNATURE),
    size: { width: first.u24(14), height: first.u24(17) },
    aspect: { num: first.u24(30), den: first.u24(33) },
    seconds: (granule) => Number((granule >> shift) + (granule & ((1n << shift) - 1n))) / (rate || 1),
  };
}

/** VP8 in Ogg, as its only muxer writes it; comments are optional. */
function vp8(first: ByteView): OggCodec {
  const rate = first.u32(18) / (first.u32(22) || 1);
  return {
    kind: 'video',
    scrubHeader: (packet) => {
      if (startsWith(packet, 'OVP80\x02')) scrubVorbisComment(packet.slice(7));
      return false;
    },
    size: { width: first.u16(8), height: first.u16(10) },
    aspect: { num: first.u24(12), den: first.u24(15) },
    seconds: (granule) => Number(granule >> 32n) / (rate || 1),
  };
}

const VORBIS_COMMENT = 4;
const LAST = 0x80;

/** FLAC's metadata blocks, one for each packet, comments first (RFC 9639, section 10.1). */
function flac(): OggCodec {
  return {
    kind: 'audio',
    scrubHeader: (packet, index) => {
      const type = packet.length > 4 ? packet.u8(0) : 0xff;
      if (type === 0xff) return false;
      if (index === 1 && (type & ~LAST) === VORBIS_COMMENT) scrubVorbisComment(packet.slice(4));
      else scrubFlacBlocks(packet);
      return (type & LAST) === 0;
    },
  };
}
