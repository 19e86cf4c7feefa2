import { concatBytes } from '../../bytes/arrays';
import { u16, u32, u32List } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { writeBox, writeFullBox } from '../../isobmff/boxes';
import type { HeifPlane } from './heif-picture';

/** Each tile is shown for one unit of time; its length doesn't matter. */
const TICKS_A_SECOND = 25;
/** The matrix of a track that is not rotated. */
const UPRIGHT = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
/** Bytes of the header of a box. */
const BOX_HEADER = 8;

/**
 * Writes the HEVC tiles of a plane as a video in MP4 (ISO/IEC 14496-12 and 14496-15): one frame for each tile, row by
 * row. Unlike a bare HEVC stream, an MP4 holds the decoder's configuration in its header, so that a program need not
 * decode the first frame twice to learn it. Tiles that lie outside of `file` are truncated, and the decoder refuses
 * them.
 */
export function writeTilesAsMp4(file: Uint8Array, plane: HeifPlane): Uint8Array {
  const samples = plane.tiles.map((extents) =>
    concatBytes(extents.map(({ from, to }) => file.subarray(from, to))),
  );
  const brand = writeBox('ftyp', asciiBytes('isom'), u32(0), asciiBytes('isom'));
  const firstAt = brand.length + movie(plane, samples, 0).length + BOX_HEADER;
  return concatBytes([brand, movie(plane, samples, firstAt), writeBox('mdat', ...samples)]);
}

/** The `moov` box for samples that follow each other from `firstAt` on. */
function movie(plane: HeifPlane, samples: readonly Uint8Array[], firstAt: number): Uint8Array {
  const duration = samples.length;
  const track = writeBox(
    'trak',
    writeFullBox('tkhd', 0, 3, u32(0, 0, 1, 0, duration, 0, 0, 0, 0), u32List(UPRIGHT), u32(0, 0)),
    writeBox(
      'mdia',
      writeFullBox('mdhd', 0, 0, u32(0, 0, TICKS_A_SECOND, duration), u16(0x55c4, 0)),
      writeFullBox('hdlr', 0, 0, u32(0), asciiBytes('vide'), u32(0, 0, 0), Uint8Array.of(0)),
      writeBox('minf', writeFullBox('vmhd', 0, 1, u16(0, 0, 0, 0)), sampleTable(plane, samples, firstAt)),
    ),
  );
  const rest = [u16(0x100, 0), u32(0, 0), u32List(UPRIGHT), u32(0, 0, 0, 0, 0, 0, 2)];
  const header = writeFullBox('mvhd', 0, 0, u32(0, 0, TICKS_A_SECOND, duration, 0x10000), ...rest);
  return writeBox('moov', header, track);
}

function sampleTable(plane: HeifPlane, samples: readonly Uint8Array[], firstAt: number): Uint8Array {
  const entry = writeBox(
    'hvc1',
    u32(0),
    u16(0, 1),
    u32(0, 0, 0, 0),
    u16(plane.tileWidth, plane.tileHeight),
    u32(0x480000, 0x480000, 0),
    u16(1),
    new Uint8Array(32),
    u16(24, 0xffff),
    writeBox('hvcC', plane.configuration),
  );
  const lengths = samples.map(({ length }) => length);
  return writeBox(
    'stbl',
    writeFullBox('stsd', 0, 0, u32(1), entry),
    writeFullBox('stts', 0, 0, u32(1, samples.length, 1)),
    writeFullBox('stsc', 0, 0, u32(1, 1, samples.length, 1)),
    writeFullBox('stsz', 0, 0, u32(0, samples.length), u32List(lengths)),
    writeFullBox('stco', 0, 0, u32(1, firstAt)),
  );
}
