import { readFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { makeApng } from './apng';
import { makeHeic } from './heic';
import type { Bench } from './jobs';
import { animation, photo } from './pictures';

/** A file as a stranger might send it, under the format that an upload might have taken it for. */
export interface HostileFile {
  readonly what: string;
  readonly kind: 'image' | 'video';
  readonly format: string;
  readonly bytes: Buffer;
  readonly frames?: number;
  /** How it must end: `harmless` files are pictures all the same. */
  readonly outcome: 'refused' | 'harmless' | 'either';
}

/** Files and addresses that the hostile files point at, and that nobody may touch. */
export interface Bait {
  /** A film, a picture and a text beside the input. */
  readonly film: string;
  readonly picture: string;
  readonly text: string;
  /** An address that would answer, were there a network. */
  readonly address: string;
}

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
const HEVC = [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:info=0'],
  ...['-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
];
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Every kind of attack that we know of on what decodes pictures and films. */
export async function hostileFiles(bench: Bench, bait: Bait): Promise<HostileFile[]> {
  return [
    ...playlists(bait),
    ...(await films(bench, bait)),
    ...drawings(bait),
    ...(await bombs(bench)),
    ...(await brokenPictures(bench)),
  ];
}

/** A playlist of one entry. */
export const hlsPlaylist = (entry: string): Buffer =>
  latin(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${entry}\n#EXT-X-ENDLIST\n`);

/** Texts by which ffmpeg is told to open something else, under the names of films and of pictures. */
function playlists({ film, text, address }: Bait): HostileFile[] {
  const refused = (what: string, kind: 'image' | 'video', format: string, bytes: Buffer): HostileFile => ({
    ...{ what, kind, format, bytes, outcome: 'refused' },
  });
  const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>file://${film}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
  const session = `v=0\r\no=- 0 0 IN IP4 10.0.0.1\r\ns=x\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n`;
  return [
    ...['mp4', 'mpegts', 'avi', 'asf'].map((format) =>
      refused(`a playlist of a local film, called ${format}`, 'video', format, hlsPlaylist(`file://${film}`)),
    ),
    refused('a playlist of a neighbour', 'video', 'mp4', hlsPlaylist(film.split('/').at(-1) ?? '')),
    refused(
      'a playlist of joined files',
      'video',
      'mp4',
      hlsPlaylist(`concat:file://${text}|file://${film}`),
    ),
    refused('a playlist of a remote film', 'video', 'mp4', hlsPlaylist(`${address}/film.ts`)),
    refused(
      'a playlist with a local key',
      'video',
      'mpegts',
      latin(
        `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file://${text}"\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${film}\n#EXT-X-ENDLIST\n`,
      ),
    ),
    refused('a concatenation', 'video', 'matroska', latin(`ffconcat version 1.0\nfile '${film}'\n`)),
    refused('a DASH manifest', 'video', 'mp4', latin(dash)),
    refused('a session that listens to a port', 'video', 'mp4', latin(session)),
    refused('a list of subtitles and a film', 'video', 'avi', gab2Avi(hlsPlaylist(`file://${film}`))),
    refused('a playlist called BMP', 'image', 'bmp', hlsPlaylist(`file://${film}`)),
    refused('a playlist called JPEG XL', 'image', 'jxl', hlsPlaylist(`file://${film}`)),
    { ...refused('a playlist called AVIF', 'image', 'avif', hlsPlaylist(`file://${film}`)), frames: 5 },
    refused('a pattern of file names called BMP', 'image', 'bmp', latin(`${text}%d.bmp`)),
  ];
}

async function films(bench: Bench, { film }: Bait): Promise<HostileFile[]> {
  const whole = await readFile(
    bench.make('whole.mov', '-f', 'lavfi', '-i', 'testsrc=s=64x64:d=0.5:r=10', ...H264),
  );
  const video = (what: string, bytes: Buffer, outcome: HostileFile['outcome']): HostileFile => ({
    ...{ what, kind: 'video', format: 'mp4', bytes, outcome },
  });
  const vast = Buffer.from(whole);
  const sampleEntry = vast.indexOf('avc1', vast.indexOf('stsd')) + 4;
  vast.writeUInt16BE(65_535, sampleEntry + 24);
  vast.writeUInt16BE(65_535, sampleEntry + 26);
  const endless = Buffer.from(whole);
  const header = endless.indexOf('mvhd') + 4;
  endless.writeUInt32BE(1, header + 12);
  endless.writeUInt32BE(0x7fffffff, header + 16);
  const crowded = Buffer.from(whole);
  crowded.writeUInt32BE(0x3fffffff, crowded.indexOf('stsz') + 12);
  return [
    video('a film whose samples are in another file', withForeignSamples(whole, film), 'either'),
    video('a film that says 65,535 × 65,535', vast, 'either'),
    video('a film that says it lasts 68 years', endless, 'harmless'),
    video('a film that says it has a thousand million samples', crowded, 'either'),
    video('a film without its second half', whole.subarray(0, whole.length / 2), 'refused'),
    video('a header without samples', whole.subarray(0, 200), 'refused'),
    video('noise called a film', Buffer.alloc(5000, 'noise'), 'refused'),
    { ...video('noise called MPEG', Buffer.alloc(50_000, 'noise'), 'refused'), format: 'mpegts' },
  ];
}

/** SVG whose parser or painter is told to open something else, or to work for ever. */
function drawings({ picture, text, address }: Bait): HostileFile[] {
  const drawing = (
    what: string,
    content: string,
    outcome: HostileFile['outcome'],
    { doctype = '', size = '80' } = {},
  ): HostileFile => ({
    ...{ what, kind: 'image', format: 'svg', outcome },
    bytes: Buffer.from(
      `<?xml version="1.0"?>${doctype}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="${size}" height="${size}">${content}<rect width="9" height="9"/></svg>`,
    ),
  });
  const name = picture.split('/').at(-1) ?? '';
  const laughs = Array.from(
    { length: 12 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  );
  const nested = Array.from(
    { length: 30 },
    (_, index) => `<g id="g${index + 1}">${`<use xlink:href="#g${index}"/>`.repeat(10)}</g>`,
  );
  return [
    ...[`file://${picture}`, picture, name, `./${name}`, `${address}/picture.png`].map((target) =>
      drawing(`an SVG with the picture ${target.split(name).join('<bait>')}`, pictureIn(target), 'harmless'),
    ),
    drawing(
      'an SVG with an external entity',
      '<text y="20">&bait;</text>',
      'either',
      doctype(`<!ENTITY bait SYSTEM "file://${text}">`),
    ),
    drawing(
      'an SVG with an external entity of parameters',
      '<text y="20">x</text>',
      'either',
      doctype(`<!ENTITY % bait SYSTEM "${address}/a.dtd"> %bait;`),
    ),
    drawing('an SVG with an external document type', '', 'either', {
      doctype: `<!DOCTYPE svg SYSTEM "file://${text}">`,
    }),
    drawing('an SVG that includes a text', `<xi:include parse="text" href="file://${text}"/>`, 'harmless'),
    drawing('an SVG with a foreign style', `<style>@import url("file://${text}");</style>`, 'harmless'),
    drawing(
      'an SVG with a foreign font',
      `<style>@font-face{font-family:f;src:url("file://${text}")}</style><text y="20" font-family="f">x</text>`,
      'harmless',
    ),
    drawing(
      'an SVG with a foreign pattern',
      `<use xlink:href="file://${picture}#a"/><rect width="80" height="80" fill="url(file://${picture}#a)"/>`,
      'harmless',
    ),
    drawing(
      'an SVG with foreign filters',
      `<filter id="f"><feImage xlink:href="file://${picture}"/></filter><rect width="80" height="80" filter="url(#f)"/>`,
      'harmless',
    ),
    drawing('an SVG that laughs a billion times', '<text y="20">&l12;</text>', 'either', {
      doctype: `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs.join('')}]>`,
    }),
    drawing(
      'an SVG that uses itself a billion times',
      `<g id="g0"><rect width="80" height="80"/></g>${nested.join('')}<use xlink:href="#g30"/>`,
      'either',
    ),
    drawing('an SVG of a million million pixels', '', 'refused', { size: '1000000' }),
    drawing('an SVG of 10,000 nested groups', '<g>'.repeat(10_000) + '</g>'.repeat(10_000), 'either'),
    drawing(
      'an SVG with a filter as large as a house',
      '<filter id="f" x="-500" y="-500" width="1000" height="1000"><feTurbulence numOctaves="9999"/><feGaussianBlur stdDeviation="9999"/></filter><rect width="80" height="80" filter="url(#f)"/>',
      'either',
    ),
  ];
}

const doctype = (inner: string): { doctype: string } => ({ doctype: `<!DOCTYPE svg [${inner}]>` });
const pictureIn = (target: string): string => `<image xlink:href="${target}" width="80" height="80"/>`;

/** A GIF whose header says this size, with next to no picture behind it. */
export function gifBomb(width: number, height: number): Buffer {
  const header = latin('GIF89a\0\0\0\0\xf0\0\0\0\0\0\xff\xff\xff,\0\0\0\0\0\0\0\0\0\x02\x02D\x01\0;');
  for (const at of [6, 24]) {
    header.writeUInt16LE(width, at);
    header.writeUInt16LE(height, at + 2);
  }
  return header;
}

/** A complete grey PNG of 11,000 × 11,000, more than a hundred million pixels in some hundred kilobytes. */
export const pngBomb = (): Promise<Buffer> =>
  sharp({
    create: { width: 11_000, height: 11_000, channels: 3, background: '#000' },
    limitInputPixels: false,
  })
    .toColourspace('b-w')
    .png({ compressionLevel: 9 })
    .toBuffer();

/** Little files that say they are large ones. */
async function bombs(bench: Bench): Promise<HostileFile[]> {
  const image = (
    what: string,
    format: string,
    bytes: Buffer,
    outcome: HostileFile['outcome'] = 'refused',
    frames = 1,
  ): HostileFile => ({ ...{ what, kind: 'image', format, bytes, outcome, frames } });
  const dot = await sharp({ create: { width: 1, height: 1, channels: 4, background: '#f00' } })
    .png()
    .toBuffer();
  const animated = await sharp(gifBomb(4000, 4000), { pages: -1 }).metadata();
  const gifFrame = gifBomb(4000, 4000).subarray(19, -1);
  const flicker = Buffer.concat([
    gifBomb(4000, 4000).subarray(0, 19),
    ...Array<Buffer>(100).fill(gifFrame),
    latin(';'),
  ]);
  const film = await readFile(
    bench.make('one.mp4', '-f', 'lavfi', '-i', 'testsrc=s=64x64', '-frames:v', '1', ...HEVC),
  );
  const bmp = Buffer.alloc(58);
  bmp.write('BM', 0, 'latin1');
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, 40_000],
    [22, 40_000],
  ] as const) {
    bmp.writeUInt32LE(value, at);
  }
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  return [
    image('a GIF of 65,535 × 65,535', 'gif', gifBomb(65_535, 65_535)),
    image('a GIF of 9,900 × 9,900', 'gif', gifBomb(9_900, 9_900), 'either'),
    image('a GIF of 100 frames of 4,000 × 4,000', 'gif', flicker, 'refused', animated.pages ?? 100),
    image('a PNG of 11,000 × 11,000', 'png', await pngBomb()),
    image('a PNG that says 60,000 × 60,000', 'png', pngOf(60_000, 60_000, deflateSync(Buffer.alloc(100)))),
    image('an APNG that says 60,000 × 60,000', 'png', apngBomb(60_000, dot), 'refused', 2),
    image(
      'a PNG of 90 megapixels',
      'png',
      pngOf(9_000, 10_000, deflateSync(Buffer.alloc(90_010_000))),
      'either',
    ),
    image('a PNG with a text of 64 mebibytes', 'png', withText(dot, 64 * 1024 * 1024), 'either'),
    image('a TIFF that says 60,000 × 60,000', 'tiff', tiffBomb(60_000, 1)),
    image('a TIFF whose strip is elsewhere', 'tiff', tiffBomb(100, 0x7fffffff)),
    image('a BMP that says 40,000 × 40,000', 'bmp', bmp),
    image(
      'a HEIC that says 40,000 × 40,000',
      'heic',
      makeHeic(film, { width: 40_000, height: 40_000 }),
      'either',
    ),
    image('an AVIF that says 40,000 × 40,000', 'avif', await avifBomb()),
  ];
}

async function brokenPictures(bench: Bench): Promise<HostileFile[]> {
  const cut = async (encoded: Promise<Buffer> | Buffer, length: number): Promise<Buffer> =>
    (await encoded).subarray(0, length);
  const image = (what: string, format: string, bytes: Buffer): HostileFile => ({
    ...{ what, kind: 'image', format, bytes, outcome: 'refused' },
  });
  const picture = await photo(300, 200);
  const square = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#f00' } })
    .png()
    .toBuffer();
  const outside = makeApng(
    [
      { png: square, delay: [1, 10] },
      { png: square, left: 10, delay: [1, 10] },
    ],
    0,
  );
  const gif = await animation(40, 20, 4).gif().toBuffer();
  return [
    image('a truncated JPEG', 'jpeg', await cut(picture.clone().jpeg().toBuffer(), 4000)),
    image('a truncated PNG', 'png', await cut(picture.clone().png().toBuffer(), 9000)),
    image('a truncated WebP', 'webp', await cut(picture.clone().webp().toBuffer(), 2000)),
    image('a truncated AVIF', 'avif', await cut(picture.clone().avif({ effort: 0 }).toBuffer(), 1500)),
    { ...image('a truncated GIF', 'gif', gif.subarray(0, gif.length - 40)), frames: 4, outcome: 'either' },
    image('an SVG that is no XML', 'svg', latin('<svg xmlns="http://www.w3.org/2000/svg"><rect')),
    image('HEIC that is none', 'heic', latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic')),
    image('a JPEG XL that is none', 'jxl', latin('\xff\x0a junk')),
    image(
      'a PNG that the upload took for a JPEG',
      'jpeg',
      await photo(30, 20).then((p) => p.png().toBuffer()),
    ),
    image(
      'an SVG that the upload took for a PNG',
      'png',
      latin('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
    ),
    image('an APNG frame outside of its canvas', 'png', outside),
    image('a film that the upload took for a GIF', 'gif', await readFile(bench.make('film.mp4', ...SHORT))),
  ];
}

const SHORT = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=0.2:r=10', ...H264];

const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([latin(type), data]);
  const out = Buffer.concat([Buffer.alloc(4), body, Buffer.alloc(4)]);
  out.writeUInt32BE(data.length, 0);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
};

/** A grey PNG with this size in its header and these deflated rows. */
function pngOf(width: number, height: number, rows: Buffer, extra: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const end = [pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n'), pngChunk('IHDR', header), ...extra, ...end]);
}

/** An APNG of two dots on a canvas of this edge. */
function apngBomb(edge: number, dot: Buffer): Buffer {
  const file = makeApng(
    [
      { png: dot, delay: [1, 10] },
      { png: dot, delay: [1, 10] },
    ],
    0,
  );
  file.writeUInt32BE(edge, 16);
  file.writeUInt32BE(edge, 20);
  file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  return file;
}

/** A PNG with a compressed text that unfolds to so many bytes. */
const withText = (png: Buffer, length: number): Buffer =>
  Buffer.concat([
    png.subarray(0, 33),
    pngChunk('zTXt', Buffer.concat([latin('Comment\0\0'), deflateSync(Buffer.alloc(length, 'a'))])),
    png.subarray(33),
  ]);

/** A grey little-endian TIFF of this edge, whose one strip begins at an offset. */
function tiffBomb(edge: number, offset: number): Buffer {
  const tags: readonly (readonly [tag: number, value: number])[] = [
    [256, edge],
    [257, edge],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, offset],
    [277, 1],
    [278, edge],
    [279, 0x7ffffff0],
  ];
  const file = Buffer.alloc(8 + 2 + tags.length * 12 + 4);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(tags.length, 8);
  for (const [index, [tag, value]] of tags.entries()) {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** A real AVIF whose header says 40,000 × 40,000 (`ispe`, ISO/IEC 23008-12). */
async function avifBomb(): Promise<Buffer> {
  const file = await (await photo(64, 64)).avif({ effort: 0 }).toBuffer();
  const extent = file.indexOf('ispe') + 8;
  file.writeUInt32BE(40_000, extent);
  file.writeUInt32BE(40_000, extent + 4);
  return file;
}

/**
 * An AVI of one stream of subtitles whose only packet is a playlist (`GAB2`): what ffmpeg opens with whatever
 * demuxer fits.
 */
function gab2Avi(playlist: Buffer): Buffer {
  const chunk = (name: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const header = Buffer.alloc(8);
    header.write(name, 0, 'latin1');
    header.writeUInt32LE(body.length, 4);
    return Buffer.concat([header, body, Buffer.alloc(body.length % 2)]);
  };
  const list = (name: string, ...parts: Buffer[]): Buffer => chunk('LIST', latin(name), ...parts);
  const main = Buffer.alloc(56);
  main.writeUInt32LE(1_000_000, 0);
  main.writeUInt32LE(1, 16);
  main.writeUInt32LE(1, 24);
  const stream = Buffer.alloc(56);
  stream.write('txts', 0, 'latin1');
  stream.writeUInt32LE(1, 20);
  stream.writeUInt32LE(1, 24);
  stream.writeUInt32LE(1, 32);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(playlist.length);
  const subtitles = Buffer.concat([latin('GAB2\0\x02\0\0\0\0\0\x04\0'), length, playlist]);
  return chunk(
    'RIFF',
    latin('AVI '),
    list('hdrl', chunk('avih', main), list('strl', chunk('strh', stream), chunk('strf', Buffer.alloc(40)))),
    list('movi', chunk('00tx', subtitles)),
  );
}

/** A film of QuickTime's whose data reference (`dref`) is an alias of another file, and not itself. */
function withForeignSamples(file: Buffer, path: string): Buffer {
  const alias = Buffer.alloc(150);
  alias.writeUInt8(4, 10);
  alias.write('Disk', 11, 'latin1');
  const name = Buffer.concat([u16(2), u16(path.length), latin(path), u16(0xffff), u16(0)]);
  const entry = atomOf('alis', Buffer.concat([Buffer.alloc(4), alias, name]));
  const references = atomOf('dref', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), entry]));
  return replaceAtom(file, ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'], references);
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

function atomOf(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

/** The file with every atom at this path replaced; the samples come before the index, so that no offset moves. */
function replaceAtom(atoms: Buffer, [type = '', ...inner]: readonly string[], replacement: Buffer): Buffer {
  const out: Buffer[] = [];
  for (let at = 0; at + 8 <= atoms.length; at += atoms.readUInt32BE(at)) {
    const whole = atoms.subarray(at, at + atoms.readUInt32BE(at));
    if (whole.toString('latin1', 4, 8) !== type) out.push(whole);
    else if (inner.length === 0) out.push(replacement);
    else out.push(atomOf(type, replaceAtom(whole.subarray(8), inner, replacement)));
  }
  return Buffer.concat(out);
}
