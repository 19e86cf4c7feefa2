import { ascii, hasAscii } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';
import type { FormatName } from '../facts/format-names';
import { parseBoxHeader, parseBrands, type Box } from '../isobmff/boxes';
import { findPackets, SYNC_BYTE, TRANSPORT_HEAD_BYTES } from '../video/mpeg/transport-packet';
import { looksLikeSvg } from './xml-text';

/** The type of a file shows within this many bytes from its start, except for recordings (see `mayShowLater`). */
export const SNIFF_BYTES = 4096;
/** The bytes that show the type of any file. */
export const LATE_SNIFF_BYTES = TRANSPORT_HEAD_BYTES;

/**
 * Whether a file whose first `SNIFF_BYTES` are of no accepted format may show one within `LATE_SNIFF_BYTES`: a recording of a
 * transport stream that begins in the middle of a packet. A text never does.
 */
export function mayShowLater(prefix: Uint8Array): boolean {
  const isControl = (byte: number): boolean => byte < 0x09 || (byte > 0x0d && byte < 0x1b);
  return prefix.includes(SYNC_BYTE) && prefix.some(isControl);
}

/**
 * The format of a file by its first bytes (`SNIFF_BYTES` or `LATE_SNIFF_BYTES` of them, or the whole of a shorter file);
 * undefined if it is none of the accepted formats. The result is only what the file claims to be: `inspect` checks it.
 */
export function sniff(prefix: Uint8Array): FormatName | undefined {
  for (const [format, matches] of SIGNATURES) if (matches(prefix)) return format;
  return sniffIsoMedia(prefix) ?? (looksLikeSvg(prefix) ? 'svg' : findPackets(prefix) && 'mpegts');
}

const SIGNATURES: readonly (readonly [FormatName, (bytes: Uint8Array) => boolean])[] = [
  ['jpeg', (b) => startsWith(b, 0xff, 0xd8, 0xff)],
  ['png', (b) => startsWith(b, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['gif', (b) => hasAscii(b, 0, 'GIF87a') || hasAscii(b, 0, 'GIF89a')],
  ['webp', (b) => hasAscii(b, 0, 'RIFF') && hasAscii(b, 8, 'WEBP')],
  ['avi', (b) => hasAscii(b, 0, 'RIFF') && hasAscii(b, 8, 'AVI ')],
  ['jxl', (b) => startsWith(b, 0xff, 0x0a) || hasAscii(b, 0, '\0\0\0\x0cJXL \r\n\x87\n')],
  ['tiff', isTiff],
  ['bmp', isBmp],
  ['matroska', isMatroska],
  ['flv', (b) => hasAscii(b, 0, 'FLV\x01')],
  [
    'asf',
    (b) =>
      startsWith(
        b,
        0x30,
        0x26,
        0xb2,
        0x75,
        0x8e,
        0x66,
        0xcf,
        0x11,
        0xa6,
        0xd9,
        0x00,
        0xaa,
        0x00,
        0x62,
        0xce,
        0x6c,
      ),
  ],
  ['ogg', (b) => hasAscii(b, 0, 'OggS\0')],
  ['mpegps', (b) => startsWith(b, 0, 0, 1, 0xba)],
  ['mpegts', (b) => findPackets(b)?.start === 0],
];

function startsWith(bytes: Uint8Array, ...signature: readonly number[]): boolean {
  return signature.every((value, i) => bytes[i] === value);
}

/** Classic and Big TIFF in both byte orders, but not the raw formats of cameras, which add a signature. */
function isTiff(bytes: Uint8Array): boolean {
  const classic = hasAscii(bytes, 0, 'II*\0') || hasAscii(bytes, 0, 'MM\0*');
  const big = hasAscii(bytes, 0, 'II+\0\x08\0\0\0') || hasAscii(bytes, 0, 'MM\0+\0\x08\0\0');
  return big || (classic && !hasAscii(bytes, 8, 'CR'));
}

/** `BM`, and a header length that some version of the format has: many texts begin with the two letters. */
function isBmp(bytes: Uint8Array): boolean {
  const headerSize =
    bytes.length >= 18 ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(14, true) : 0;
  return hasAscii(bytes, 0, 'BM') && [12, 16, 40, 52, 56, 64, 108, 124].includes(headerSize);
}

/** EBML, with the document type among its first elements. */
function isMatroska(bytes: Uint8Array): boolean {
  if (!startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3)) return false;
  const head = ascii(bytes, 0, 128);
  return head.includes('webm') || head.includes('matroska');
}

const AVIF_BRANDS = /^avi[fs]$/;
const HEIC_BRANDS = /^(hei[cmsx]|hev[cmsx]|mif[12]|msf1)$/;
const MOBILE_BRANDS = /^3g[2egprs]./;
const MP4_BRANDS =
  /^(isom|iso[2-9a-c]|mp4[12]|mp71|avc[1-4]|hvc1|av01|M4[AVBP] |M4V[HP]|MSNV|mmp4|NDX[CHMPS]|F4[VP] |f4v |dash|dsms|cmf[2cs]|XAVC|caqv|NDSC)$/;
/** The first box of a QuickTime file that has no `ftyp`. */
const BARE_QUICKTIME = /^(moov|mdat|wide|pnot|free|skip)$/;

/** The format of an ISO base media file by its brands: the major one, or the first known compatible one. */
function sniffIsoMedia(bytes: Uint8Array): FormatName | undefined {
  const first = firstBox(bytes);
  if (!first) return undefined;
  if (first.type !== 'ftyp') return BARE_QUICKTIME.test(first.type) ? 'mov' : undefined;
  const brands = parseBrands(bytes.subarray(first.body, first.end));
  // The generic brands of the HEIF family don't name the codec; a compatible brand does.
  if (HEIC_BRANDS.test(brands[0] ?? '') && brands.some((brand) => AVIF_BRANDS.test(brand))) return 'avif';
  for (const brand of brands) {
    if (AVIF_BRANDS.test(brand)) return 'avif';
    if (HEIC_BRANDS.test(brand)) return 'heic';
    if (brand === 'qt  ') return 'mov';
    if (MOBILE_BRANDS.test(brand)) return '3gp';
    if (MP4_BRANDS.test(brand)) return 'mp4';
    if (/^(crx |jp[2mxt] |mj[2ps]\w?)/.test(brand)) return undefined;
  }
  return undefined;
}

function firstBox(bytes: Uint8Array): Box | undefined {
  if (bytes.length < 8) return undefined;
  try {
    return parseBoxHeader(bytes, 0, bytes.length, true);
  } catch (error) {
    if (error instanceof UnreadableFileError) return undefined;
    throw error;
  }
}
