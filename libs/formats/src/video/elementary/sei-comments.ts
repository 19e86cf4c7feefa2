import type { ByteRange } from '../../bytes/byte-ranges';
import { latin1 } from '../../bytes/text';

/** The codecs whose NAL units may hold supplemental enhancement information. */
export type NalCodec = 'h264' | 'hevc';

/** `user_data_unregistered` (ITU-T H.274, section 8.7). Type 4, registered, holds captions and HDR10+. */
const UNREGISTERED = 5;
const UUID_SIZE = 16;
/**
 * Texts in which encoders name themselves and their settings. They are not personal, and decoders need them to work
 * around bugs of encoders. For each identifier: the pattern of the text, which is printable up to its end.
 */
const ENCODER_SETTINGS: readonly (readonly [uuid: Buffer, text: RegExp])[] = [
  [Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex'), /^x264 - core \d{1,6}[ -~]*\0?$/],
  [Buffer.from('2ca2de09b51747dbbb55a4fe7fc2fc4e', 'hex'), /^x265 \(build \d{1,6}\)[ -~]*\0?$/],
];
const MAX_SETTINGS = 4096;

/**
 * Whether the unit that starts with this byte is supplemental information, by its type (H.264: 6; HEVC: 39 and 40).
 */
export function isSei(codec: NalCodec, firstByte: number): boolean {
  if (codec === 'h264') return (firstByte & 0x1f) === 6;
  const type = (firstByte >> 1) & 0x3f;
  return type === 39 || type === 40;
}

/**
 * The ranges to overwrite with 0xff in a SEI unit (its header included): what a camera or a program wrote there, such
 * as position, make, serial number. Keeps emulation prevention bytes and the zeros before them, so that no size
 * changes.
 */
export function* seiComments(codec: NalCodec, nal: Uint8Array): Generator<ByteRange> {
  const { places, count, isEmulation } = payloadPlaces(nal, codec === 'h264' ? 1 : 2);
  const byteAt = (at: number): number => nal[places[at] ?? nal.length] ?? 0;
  let at = 0;
  const number = (): number => {
    let value = 0;
    while (at < count && byteAt(at) === 0xff) {
      value += 0xff;
      at++;
    }
    return value + byteAt(at++);
  };
  while (at + 2 <= count) {
    const type = number();
    const size = number();
    const end = Math.min(at + size, count);
    if (type === UNREGISTERED && at < end) {
      const from = places[at] ?? 0;
      const to = (places[end - 1] ?? 0) + 1;
      if (!isEncoderSettings(nal.subarray(from, to))) yield* between(from, to, isEmulation);
    }
    at = end;
  }
}

/** The positions in the unit of the bytes of its payload, without emulation prevention bytes and trailing zeros. */
function payloadPlaces(nal: Uint8Array, header: number) {
  const places = new Uint32Array(nal.length);
  const isEmulation = new Uint8Array(nal.length);
  let count = 0;
  let zeros = 0;
  for (let at = header; at < nal.length; at++) {
    const byte = nal[at];
    if (zeros >= 2 && byte === 3) {
      isEmulation.fill(1, at - 2, at + 1);
      zeros = 0;
      continue;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    places[count++] = at;
  }
  return { places, count: count - zeros, isEmulation };
}

function isEncoderSettings(payload: Uint8Array): boolean {
  if (payload.length > UUID_SIZE + MAX_SETTINGS) return false;
  const encoder = ENCODER_SETTINGS.find(
    ([uuid]) => Buffer.compare(payload.subarray(0, UUID_SIZE), uuid) === 0,
  );
  return encoder !== undefined && encoder[1].test(latin1(payload.subarray(UUID_SIZE)));
}

function* between(from: number, to: number, isKept: Uint8Array): Generator<ByteRange> {
  for (let at = from; at < to; at++) {
    if (isKept[at]) continue;
    const start = at;
    while (at < to && !isKept[at]) at++;
    yield { from: start, to: at };
  }
}

/** The NAL units of an AVC or HEVC decoder configuration record (ISO/IEC 14496-15, sections 5.3.3.1 and 8.3.3.1). */
export function* unitsOfRecord(codec: NalCodec, record: Uint8Array): Generator<ByteRange> {
  const u8 = (at: number): number => record[at] ?? 0;
  const u16 = (at: number): number => (u8(at) << 8) | u8(at + 1);
  let at = codec === 'h264' ? 5 : 22;
  for (let arrays = codec === 'h264' ? 2 : u8(at++); arrays > 0 && at < record.length; arrays--) {
    let units = codec === 'h264' ? u8(at) & (arrays === 2 ? 0x1f : 0xff) : u16(at + 1);
    for (at += codec === 'h264' ? 1 : 3; units > 0 && at + 2 < record.length; units--) {
      const from = at + 2;
      at = from + u16(at);
      yield { from, to: Math.min(at, record.length) };
    }
  }
}

/** The ranges to overwrite with 0xff in a decoder configuration record. */
export function* recordComments(codec: NalCodec, record: Uint8Array): Generator<ByteRange> {
  for (const unit of unitsOfRecord(codec, record)) {
    if (!isSei(codec, record[unit.from] ?? 0)) continue;
    for (const { from, to } of seiComments(codec, record.subarray(unit.from, unit.to))) {
      yield { from: unit.from + from, to: unit.from + to };
    }
  }
}

/** Bytes of the length in front of each NAL unit of a sample; null if the record is too short. */
export function nalLengthSize(codec: NalCodec, record: Uint8Array): number | null {
  const field = record[codec === 'h264' ? 4 : 21];
  return field === undefined ? null : (field & 3) + 1;
}
