import { concatBytes } from '../bytes/arrays';
import { u16, u32, u32List } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { writeBox, writeFullBox } from '../isobmff/boxes';
import { canary, CANARY } from './scrub';

/**
 * A HEIC whose pictures aren't coded: two tiles, transparency, thumbnail, depth map, Exif, XMP, names, descriptions.
 */
export function heic(): Uint8Array {
  const item = (id: number, type: string, name: string, rest = ''): Uint8Array =>
    writeFullBox('infe', 2, 0, u16(id, 0), asciiBytes(`${type}${name}\0${rest}`));
  const infos = [
    item(1, 'hvc1', CANARY),
    item(2, 'hvc1', ''),
    item(3, 'grid', CANARY),
    item(4, 'hvc1', ''), // transparency
    item(5, 'hvc1', ''), // thumbnail
    item(6, 'hvc1', ''), // depth
    item(7, 'Exif', ''),
    item(8, 'mime', '', 'application/rdf+xml\0'),
  ];
  const grid = Uint8Array.of(0, 0, 0, 1, 0, 40, 0, 20);
  const payloads = [asciiBytes('tile-one'), asciiBytes('tile-two'), grid, asciiBytes('alpha')];
  const all = [...payloads, ...Array.from({ length: 4 }, () => canary)];
  const aux = (urn: string): Uint8Array => writeFullBox('auxC', 0, 0, asciiBytes(`${urn}\0`));
  const properties = [
    writeFullBox('ispe', 0, 0, u32(20, 20)),
    writeFullBox('ispe', 0, 0, u32(40, 20)),
    writeBox('irot', Uint8Array.of(1)),
    aux('urn:mpeg:hevc:2015:auxid:1'),
    aux('urn:mpeg:hevc:2015:auxid:2'),
    writeFullBox('udes', 0, 0, asciiBytes(`en\0${CANARY}\0\0\0`)),
  ];
  const associations = [
    [1, 1, 0x81],
    [2, 1, 0x81],
    [3, 3, 2, 0x83, 6],
    [4, 2, 1, 0x84],
    [5, 1, 1],
    [6, 2, 1, 0x85],
    [7, 0],
    [8, 0],
  ].map(([id = 0, ...rest]) => concatBytes([u16(id), Uint8Array.from(rest)]));
  const write = (dataAt: number): Uint8Array => {
    let at = dataAt;
    const locations = all.map((payload, i) => {
      const place = at;
      at += payload.length;
      return concatBytes([u16(i + 1, 0, 0, 1), u32(place, payload.length)]);
    });
    return concatBytes([
      writeBox('ftyp', asciiBytes('heic'), u32(0), asciiBytes('mif1heicCANA')),
      writeFullBox(
        'meta',
        0,
        0,
        writeFullBox('hdlr', 0, 0, u32(0), asciiBytes('pict'), u32(0, 0, 0), asciiBytes(`${CANARY}\0`)),
        writeFullBox('pitm', 0, 0, u16(3)),
        writeFullBox('iloc', 1, 0, u16(0x4400, all.length), ...locations),
        writeFullBox('iinf', 0, 0, u16(infos.length), ...infos),
        writeFullBox(
          'iref',
          0,
          0,
          writeBox('dimg', u16(3, 2, 1, 2)),
          writeBox('auxl', u16(4, 1, 3)),
          writeBox('auxl', u16(6, 1, 3)),
          writeBox('thmb', u16(5, 1, 3)),
          writeBox('cdsc', u16(7, 1, 3)),
          writeBox('cdsc', u16(8, 1, 3)),
        ),
        writeBox(
          'iprp',
          writeBox('ipco', ...properties),
          writeFullBox('ipma', 0, 0, u32(8), ...associations),
        ),
        writeBox('udta', canary),
      ),
    ]);
  };
  const head = write(write(0).length + 8 + canary.length);
  return concatBytes([head, writeBox('mdat', canary, ...all, canary), writeBox('mpvd', canary)]);
}

/** The unit with the sequence header of an AV1 picture of 8 bits without named colours. */
export const AV1_HEADER = Uint8Array.from(Buffer.from('0a0b00000003bffdf9b5f20080', 'hex'));

/** An AVIF sequence of three samples that aren't coded after the first header, in two chunks, with a sound track and descriptions. */
export function avifSequence(): Uint8Array {
  const samples = [
    concatBytes([AV1_HEADER, asciiBytes('sample-one')]),
    asciiBytes('two'),
    asciiBytes('sample-three'),
  ];
  const handler = (type: string): Uint8Array =>
    writeFullBox('hdlr', 0, 0, u32(0), asciiBytes(type), u32(0, 0, 0), asciiBytes(`${CANARY}\0`));
  const entry = writeBox(
    'av01',
    new Uint8Array(42),
    concatBytes([canary, new Uint8Array(36 - canary.length)]),
    writeBox('av1C', u32(0x81000c00)),
    writeBox('uuid', new Uint8Array(16), canary),
  );
  const track = (type: string, offsets: readonly number[]): Uint8Array =>
    writeBox(
      'trak',
      writeFullBox(
        'tkhd',
        0,
        3,
        u32(9, 9, 1, 0, 3),
        u32List([0, 0, 0, 0]),
        u32List([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]),
        u32(64 << 16, 48 << 16),
      ),
      writeBox(
        'mdia',
        writeFullBox('mdhd', 0, 0, u32(9, 9, 1000, 3, 0)),
        handler(type),
        writeBox(
          'minf',
          writeFullBox('vmhd', 0, 1, u32(0, 0)),
          writeBox('dinf', writeFullBox('dref', 0, 0, u32(1), writeFullBox('url ', 0, 0, canary))),
          writeBox(
            'stbl',
            writeFullBox('stsd', 0, 0, u32(1), entry),
            writeFullBox('stts', 0, 0, u32(1, 3, 1)),
            writeFullBox('stsc', 0, 0, u32(2, 1, 2, 1, 2, 1, 1)),
            writeFullBox('stsz', 0, 0, u32(0, 3), u32List(samples.map((sample) => sample.length))),
            writeFullBox('stco', 0, 0, u32(2), u32List(offsets)),
          ),
        ),
      ),
      writeBox('udta', canary),
    );
  const write = (dataAt: number): Uint8Array => {
    const offsets = [dataAt, dataAt + AV1_HEADER.length + 13 + canary.length];
    return concatBytes([
      writeBox('ftyp', asciiBytes('avis'), u32(0), asciiBytes('avisavifmsf1')),
      writeBox(
        'moov',
        writeFullBox('mvhd', 0, 0, u32(9, 9, 1000, 3), new Uint8Array(80)),
        track('pict', offsets),
        track('soun', offsets),
        writeBox('udta', canary),
      ),
    ]);
  };
  const [one, two, three] = samples;
  if (!one || !two || !three) throw new Error('The sequence needs three samples.');
  return concatBytes([write(write(0).length + 8), writeBox('mdat', one, two, canary, three, canary)]);
}
