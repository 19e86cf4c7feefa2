import { concatBytes } from '../src/bytes/arrays';
import { u16, u32, u32List } from '../src/bytes/numbers';
import { asciiBytes } from '../src/bytes/text';
import { writeBox, writeFullBox } from '../src/isobmff/boxes';

/** Makes a file of about `size` bytes that is meant to be slow to read. */
export type HostileFile = (size: number) => Uint8Array;

const text = (content: string): Uint8Array => asciiBytes(content);
const zeros = (length: number): Uint8Array => new Uint8Array(length);
const le16 = (value: number): Uint8Array => u16(value).reverse();
const le32 = (value: number): Uint8Array => u32(value).reverse();

/** `piece` repeated up to `size` bytes. */
function repeated(size: number, piece: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.floor(size / piece.length) * piece.length);
  for (let at = 0; at < whole.length; at += piece.length) whole.set(piece, at);
  return whole;
}

const svg = (content: string, attributes = ''): Uint8Array =>
  text(`<svg xmlns="http://www.w3.org/2000/svg"${attributes}>${content}</svg>`);
const TINY_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const svgFiles: Readonly<Record<string, HostileFile>> = {
  'a width of digits': (size) => svg('', ` width="${'1'.repeat(size)},"`),
  'a viewBox of spaces': (size) => svg('', ` viewBox="0 ${' '.repeat(size)}"`),
  'a style sheet of semicolons': (size) => svg(`<style>${';'.repeat(size)}</style>`),
  'style sheets of open brackets': (size) =>
    svg(`<style>a${'('.repeat(200_000)}{}</style>`.repeat(size / 200_000 + 1)),
  'a style sheet of half comments': (size) => svg(`<style>${'/*'.repeat(size / 2)}</style>`),
  'styles of references that never end': (size) => svg(`<g style="fill:${'url('.repeat(size / 4)}"/>`),
  'values of half references': (size) => svg(`<g fill="${'url( '.repeat(size / 5)}"/>`),
  'one attribute in many elements': (size) => svg(`<g fill="${'x '.repeat(1000)}"/>`.repeat(size / 2014)),
  'many small pictures': (size) =>
    svg(`<image href="data:image/png;base64,${TINY_PNG}"/>`.repeat(size / (TINY_PNG.length + 40))),
  'a link of semicolons': (size) => svg(`<image href="data:${'; '.repeat(size / 2)}"/>`),
  'a document type of half entities': (size) =>
    text(`<!DOCTYPE svg [${'<!ENTITY a '.repeat(size / 11)}]><svg xmlns="http://www.w3.org/2000/svg"/>`),
  'elements that show each other': (size) =>
    svg(
      Array.from({ length: size / 40 }, (_, i) => `<g id="a${i}"><use href="#a${(i * 7) % 900}"/></g>`).join(
        '',
      ),
    ),
};

const jpegSegment = (marker: number, data: Uint8Array): Uint8Array =>
  concatBytes([Uint8Array.of(0xff, marker), u16(data.length + 2), data]);
const JPEG_FRAME = jpegSegment(0xc0, Uint8Array.of(8, 0, 1, 0, 1, 1, 1, 0x11, 0));
const JPEG_SCAN = concatBytes([jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)), Uint8Array.of(1)]);
const jpeg = (middle: Uint8Array): Uint8Array =>
  concatBytes([Uint8Array.of(0xff, 0xd8), middle, JPEG_FRAME, JPEG_SCAN, Uint8Array.of(0xff, 0xd9)]);

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  return concatBytes([u32(data.length), text(type), data, zeros(4)]);
}
const PNG_HEAD = Uint8Array.from(Buffer.from(TINY_PNG, 'base64').subarray(0, 33));

/** A TIFF of one page. Two tables list its strips, each of which has its own position. */
function tiff(
  strips: readonly (readonly [from: number, length: number])[],
  data: Uint8Array,
  compression = 7,
): Uint8Array {
  const tablesAt = 8 + data.length;
  const lengthsAt = tablesAt + strips.length * 4;
  const directoryAt = lengthsAt + strips.length * 4;
  const entry = (tag: number, type: number, count: number, value: number): Uint8Array =>
    concatBytes([u16(tag, type), u32(count, value)]);
  return concatBytes([
    text('MM\0*'),
    u32(directoryAt),
    data,
    u32List(strips.map(([from]) => from)),
    u32List(strips.map(([, length]) => length)),
    u16(7),
    entry(256, 4, 1, 1),
    entry(257, 4, 1, 1),
    entry(258, 4, 1, 8),
    entry(259, 4, 1, compression),
    entry(262, 4, 1, 1),
    entry(273, 4, strips.length, tablesAt),
    entry(279, 4, strips.length, lengthsAt),
    u32(0),
  ]);
}

/** One strip in many pieces, to which many entries refer. */
function sharedStrip(size: number): Uint8Array {
  const piece = concatBytes([jpegSegment(0xdb, zeros(1)), jpegSegment(0xfe, zeros(1))]);
  const strip = jpeg(repeated(Math.min(size / 2, 400_000), piece));
  const count = Math.floor(size / 2 / 8);
  return tiff(
    Array.from({ length: count }, () => [8, strip.length] as const),
    strip,
  );
}

/** A HEIC whose only item has many properties and many invalid references to a transparency. */
function manyReferences(size: number): Uint8Array {
  const references = Math.min(19_000, Math.floor(size / 2 / 14));
  const entries = Math.min(20_000, Math.floor(size / 2 / 258));
  const associations = concatBytes([u16(1), Uint8Array.of(255), new Uint8Array(255).fill(1)]);
  const meta = writeFullBox(
    'meta',
    0,
    0,
    writeFullBox('pitm', 0, 0, u16(1)),
    writeFullBox('iloc', 0, 0, u16(0x4400, 0)),
    writeFullBox('iinf', 0, 0, u16(1), writeFullBox('infe', 2, 0, u16(1, 0), text('hvc1\0'))),
    writeFullBox('iref', 0, 0, repeated(references * 14, writeBox('auxl', u16(1, 1, 1)))),
    writeBox(
      'iprp',
      writeBox('ipco', writeFullBox('ispe', 0, 0, u32(1, 1))),
      writeFullBox('ipma', 0, 0, u32(entries), repeated(entries * 258, associations)),
    ),
  );
  return concatBytes([writeBox('ftyp', text('heic'), u32(0)), meta]);
}

/** Strips of one byte with a byte between them, in reverse order. */
export const backwardStrips: HostileFile = (size) => {
  const count = Math.floor(size / 10);
  const strips = Array.from({ length: count }, (_, i) => [8 + 2 * (count - 1 - i), 1] as const);
  return tiff(strips, zeros(2 * count), 1);
};

/** An image sequence with one long sample description, and many empty ones after it. */
function manyDescriptions(size: number): Uint8Array {
  const entry = writeBox('av01', zeros(78), writeBox('av1C', zeros(size / 2)));
  const table = writeBox(
    'stbl',
    writeFullBox('stsd', 0, 0, u32(1), entry),
    repeated(Math.min(900 * 8, size / 2), writeBox('stsd')),
    writeFullBox('stsc', 0, 0, u32(1, 1, 1, 1)),
    writeFullBox('stsz', 0, 0, u32(4, 1)),
    writeFullBox('stco', 0, 0, u32(1, 8)),
  );
  const handler = writeFullBox('hdlr', 0, 0, u32(0), text('pict'), zeros(13));
  const media = writeBox('mdia', writeFullBox('mdhd', 0, 0, zeros(20)), handler, writeBox('minf', table));
  const track = writeBox('trak', writeFullBox('tkhd', 0, 0, zeros(72), u32(1 << 16, 1 << 16)), media);
  return concatBytes([
    writeBox('ftyp', text('avis'), u32(0), text('avif')),
    writeBox('moov', writeFullBox('mvhd', 0, 0, zeros(96)), track),
  ]);
}

export const hostileImages: Readonly<Record<string, Readonly<Record<string, HostileFile>>>> = {
  svg: svgFiles,
  jpeg: {
    'fill bytes': (size) => jpeg(new Uint8Array(size).fill(0xff)),
    'tables of one byte': (size) => jpeg(repeated(size, jpegSegment(0xdb, zeros(1)))),
    'pieces of profiles': (size) => jpeg(repeated(size, jpegSegment(0xe2, text('ICC_PROFILE\0\x01\xff')))),
  },
  png: {
    'empty chunks': (size) => concatBytes([PNG_HEAD, repeated(size, pngChunk('IDAT', zeros(0)))]),
    'profiles that are none': (size) =>
      concatBytes([PNG_HEAD, repeated(size, pngChunk('iCCP', text('a\0\0x')))]),
  },
  gif: {
    'sub-blocks of one byte': (size) =>
      concatBytes([text('GIF89a'), le16(1), le16(1), zeros(3), text('\x2c'), zeros(9), zeros(1), repeated(size, Uint8Array.of(1, 1)), text('\0;')]), // prettier-ignore
    'empty extensions': (size) =>
      concatBytes([text('GIF89a'), le16(1), le16(1), zeros(3), repeated(size, text('\x21\xfe\0'))]),
    'a profile of one byte a block': (size) =>
      concatBytes([text('GIF89a'), le16(1), le16(1), zeros(3), text('\x21\xff\x0bICCRGBG1012'), repeated(size, Uint8Array.of(1, 1)), zeros(1)]), // prettier-ignore
  },
  webp: {
    'empty chunks': (size) => {
      const chunks = repeated(Math.min(size, 700_000), text('JUNK\0\0\0\0'));
      const body = concatBytes([text('WEBPVP8X'), le32(10), zeros(10), chunks]);
      return concatBytes([text('RIFF'), le32(body.length), body]);
    },
  },
  bmp: {
    'runs of one pixel': (size) => {
      const head = concatBytes([
        le32(40),
        le32(1),
        le32(1),
        le16(1),
        le16(8),
        le32(1),
        zeros(12),
        le32(1),
        zeros(4),
      ]);
      return concatBytes([
        text('BM'),
        zeros(8),
        le32(58),
        head,
        zeros(4),
        repeated(size, Uint8Array.of(1, 1)),
      ]);
    },
  },
  tiff: {
    'one strip in pieces under many names': sharedStrip,
    'strips in the wrong order': backwardStrips,
    'strips that overlap': (size) =>
      tiff(
        Array.from({ length: size / 16 }, (_, i) => [8 + i, size / 4] as const),
        jpeg(zeros(size / 2)),
      ),
  },
  heic: { 'references to an item of many properties': manyReferences },
  avif: { 'one sample description and many empty ones': manyDescriptions },
};

const HDLR = writeFullBox('hdlr', 0, 0, u32(0), text('vide'), zeros(13));
const AVC = writeBox(
  'avc1',
  zeros(24),
  u16(16, 16),
  zeros(50),
  writeBox('avcC', Uint8Array.of(1, 66, 0, 10, 0xff, 0xe0, 0)),
);

/** A track of `count` samples of `sampleSize` bytes, all in one chunk at `offset`. */
function track(id: number, offset: number, count: number, sampleSize: number): Uint8Array {
  const table = writeBox(
    'stbl',
    writeFullBox('stsd', 0, 0, u32(1), AVC),
    writeFullBox('stsc', 0, 0, u32(1, 1, count, 1)),
    writeFullBox('stsz', 0, 0, u32(sampleSize, count)),
    writeFullBox('stco', 0, 0, u32(1, offset)),
  );
  return writeBox(
    'trak',
    writeFullBox('tkhd', 0, 0, u32(0, 0, id), zeros(68)),
    writeBox('mdia', writeFullBox('mdhd', 0, 0, zeros(20)), HDLR, writeBox('minf', table)),
  );
}

/** Tracks that all refer to the same bytes. */
function sharedSamples(size: number): Uint8Array {
  const ftyp = writeBox('ftyp', text('isom'), u32(0));
  const mdat = writeBox('mdat', zeros(size / 2));
  const offset = ftyp.length + 8;
  const one = track(1, offset, 1, 1).length;
  const tracks = Array.from({ length: Math.min(1900, size / 2 / one) }, (_, i) =>
    track(i + 1, offset, Math.floor(size / 8), 4),
  );
  return concatBytes([ftyp, mdat, writeBox('moov', writeFullBox('mvhd', 0, 0, zeros(96)), ...tracks)]);
}

/** A transport stream of one H.264 stream, whose packets hold `payloads` of up to 176 bytes. */
function transportStream(size: number, pid: number, payload: Uint8Array): Uint8Array {
  const packet = (id: number, starts: boolean, content: Uint8Array): Uint8Array => {
    const stuffing = 184 - content.length;
    const field =
      stuffing > 0 ? concatBytes([Uint8Array.of(stuffing - 1, 0), new Uint8Array(182).fill(0xff)]) : zeros(0);
    const control = stuffing > 0 ? 0x30 : 0x10;
    const head = Uint8Array.of(0x47, (starts ? 0x40 : 0) | (id >> 8), id & 0xff, control);
    return concatBytes([head, field.subarray(0, stuffing), content]);
  };
  const table = (content: Uint8Array): Uint8Array =>
    concatBytes([zeros(1), content, new Uint8Array(183 - content.length).fill(0xff)]);
  const pat = Buffer.from('00b00d0001c100000001f0002ab104b2', 'hex');
  const pmt = Buffer.from('02b0120001c10000e100f0001be100f00015bd4d56', 'hex');
  return concatBytes([
    packet(0, true, table(pat)),
    packet(0x1000, true, table(pmt)),
    packet(0x100, true, concatBytes([Buffer.from('000001e0000080000000000001', 'hex'), Uint8Array.of(6)])),
    repeated(size, packet(pid, false, payload)),
  ]);
}

const EBML = Buffer.from('1a45dfa3874282847765626d', 'hex');
const matroska = (body: Uint8Array): Uint8Array =>
  concatBytes([EBML, Buffer.from('18538067ff', 'hex'), Buffer.from('1654ae6b95ae93d78101838101e08ab08140ba8140', 'hex'), body]); // prettier-ignore

const riff = (id: string, list: string, body: Uint8Array): Uint8Array =>
  concatBytes([text(id), le32(body.length + 4), text(list), body]);

export const hostileVideos: Readonly<Record<string, Readonly<Record<string, HostileFile>>>> = {
  mp4: {
    'tracks that share their samples': sharedSamples,
    'fragments of nothing': (size) =>
      concatBytes([
        writeBox('ftyp', text('isom'), u32(0)),
        sharedSamples(2000).subarray(16),
        repeated(size, writeBox('moof')),
      ]),
    'units of one byte': (size) => {
      const mdat = repeated(size, Uint8Array.of(1, 6));
      const head = concatBytes([writeBox('ftyp', text('isom'), u32(0))]);
      const moov = writeBox(
        'moov',
        writeFullBox('mvhd', 0, 0, zeros(96)),
        track(1, head.length + 8, 1, mdat.length),
      );
      return concatBytes([head, writeBox('mdat', mdat), moov]);
    },
  },
  mpegts: {
    'a comment in small packets, full of bytes that stay': (size) =>
      transportStream(size, 0x100, repeated(180, Uint8Array.of(5, 0, 0, 3))),
    'a comment of one byte a packet': (size) => transportStream(size, 0x100, Uint8Array.of(5)),
    'tables of one byte a packet': (size) => transportStream(size, 0x1000, Uint8Array.of(2)),
  },
  mpegps: {
    'packets of one byte': (size) =>
      concatBytes([Buffer.from('000001ba2100010001800001', 'hex'), repeated(size, Buffer.from('000001e000010f', 'hex'))]), // prettier-ignore
  },
  matroska: {
    'empty elements': (size) => matroska(concatBytes([Buffer.from('1f43b675ff', 'hex'), repeated(size, Uint8Array.of(0xa7, 0x80))])), // prettier-ignore
    'empty blocks': (size) => matroska(concatBytes([Buffer.from('1f43b675ff', 'hex'), repeated(size, Uint8Array.of(0xa3, 0x80))])), // prettier-ignore
    'empty indexes': (size) => matroska(repeated(size, Buffer.from('1c53bb6b80', 'hex'))),
  },
  avi: {
    'records within records': (size) => {
      const depth = Math.floor(size / 12);
      const movi = new Uint8Array(depth * 12);
      for (let i = 0; i < depth; i++) {
        movi.set(concatBytes([text('LIST'), le32(movi.length - i * 12 - 8), text('rec ')]), i * 12);
      }
      return riff('RIFF', 'AVI ', riff('LIST', 'movi', movi));
    },
    'empty chunks': (size) =>
      riff('RIFF', 'AVI ', riff('LIST', 'movi', repeated(size, text('00dc\0\0\0\0')))),
  },
  flv: {
    'empty tags': (size) =>
      concatBytes([
        text('FLV\x01\x05'),
        u32(9),
        zeros(4),
        repeated(size, concatBytes([text('\x09'), zeros(14)])),
      ]),
  },
  ogg: {
    'empty pages': (size) => repeated(size, concatBytes([text('OggS\0\x02'), zeros(21)])),
  },
};
