import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { concatBytes } from '../bytes/arrays';
import { u16, u32, u32le } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import type { ImageFormatName } from '../facts/format-names';
import { writeBox } from '../isobmff/boxes';
import { canary, CANARY } from './scrub';
import { avifSequence, heic } from './heif-samples';
import { jxlCodestream } from './jxl-samples';

/** A synthetic picture with metadata in every place that its format has for them. */
export interface ImageSample {
  readonly name: string;
  readonly format: ImageFormatName;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly frames: number;
}

const WIDTH = 24;
const HEIGHT = 10;

/** Noise, so that confused pixels show. */
export function noise(width: number, height: number, channels: 3 | 4): Buffer {
  let seed = 7;
  return Buffer.from(
    Array.from(
      { length: width * height * channels },
      () => (seed = (seed * 1103515245 + 12345) % 2 ** 31) >> 16,
    ),
  );
}

function picture(channels: 3 | 4 = 3): sharp.Sharp {
  return sharp(noise(WIDTH, HEIGHT, channels), { raw: { width: WIDTH, height: HEIGHT, channels } });
}

function animation(frames: number): sharp.Sharp {
  const raw = { width: WIDTH, height: HEIGHT * frames, channels: 4 as const, pageHeight: HEIGHT };
  return sharp(noise(WIDTH, HEIGHT * frames, 4), { raw });
}

const exif = { IFD0: { Artist: CANARY, ImageDescription: CANARY }, IFD3: { GPSLatitudeRef: 'N' } };
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${CANARY}"/></rdf:RDF></x:xmpmeta>`;

function withMetadata(image: sharp.Sharp, orientation = 6): sharp.Sharp {
  return image.withExif(exif).withMetadata({ orientation, icc: 'p3' }).withXmp(xmp);
}

function jpegSegment(marker: number, ...data: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(data);
  return concatBytes([Uint8Array.of(0xff, marker), u16(content.length + 2), content]);
}

async function jpeg(options: sharp.JpegOptions): Promise<Uint8Array> {
  const plain = await withMetadata(picture()).jpeg(options).toBuffer();
  return concatBytes([
    plain.subarray(0, 2),
    jpegSegment(0xe0, asciiBytes('JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01'), canary.subarray(0, 3)),
    jpegSegment(0xe0, asciiBytes('JFXX\0\x10'), canary),
    jpegSegment(0xe2, asciiBytes('MPF\0'), canary),
    jpegSegment(0xed, asciiBytes('Photoshop 3.0\0'), canary),
    jpegSegment(0xee, asciiBytes('Adobe\0\x64\0\0\0\0\x01'), canary),
    jpegSegment(0xfe, canary),
    Uint8Array.of(0xff, 0xff), // fill bytes
    plain.subarray(2),
    canary,
    plain, // a motion photo's still copies look like this
  ]);
}

export function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const content = concatBytes([asciiBytes(type), data]);
  return concatBytes([u32(data.length), content, u32(crc32(content))]);
}

const PNG_HEADER_END = 33;

async function png(): Promise<Uint8Array> {
  const plain = await withMetadata(picture(4)).png().toBuffer();
  return concatBytes([
    plain.subarray(0, PNG_HEADER_END),
    pngChunk('tEXt', concatBytes([asciiBytes('Author\0'), canary])),
    pngChunk('iTXt', concatBytes([asciiBytes('Comment\0\0\0\0\0'), canary])),
    pngChunk('sPLT', concatBytes([canary, Uint8Array.of(0, 8)])),
    pngChunk('gAMA', canary),
    pngChunk('caBX', canary),
    plain.subarray(PNG_HEADER_END),
    canary,
  ]);
}

/** An APNG whose second frame repeats the data of the still. */
async function apng(): Promise<Uint8Array> {
  const plain = await picture(4).png({ compressionLevel: 9 }).toBuffer();
  const dataAt = plain.indexOf('IDAT') + 4;
  const data = plain.subarray(dataAt, dataAt + plain.readUInt32BE(dataAt - 8));
  const control = (sequence: number): Uint8Array =>
    pngChunk('fcTL', concatBytes([u32(sequence, WIDTH, HEIGHT, 0, 0), u16(1, 10), Uint8Array.of(0, 0)]));
  return concatBytes([
    plain.subarray(0, PNG_HEADER_END),
    pngChunk('acTL', u32(2, 0)),
    control(0),
    pngChunk('IDAT', data),
    pngChunk('tEXt', concatBytes([asciiBytes('Comment\0'), canary])),
    control(1),
    pngChunk('fdAT', concatBytes([u32(2), data])),
    pngChunk('IEND', new Uint8Array(0)),
  ]);
}

function gifBlock(label: number, ...subBlocks: readonly Uint8Array[]): Uint8Array {
  const blocks = subBlocks.map((block) => concatBytes([Uint8Array.of(block.length), block]));
  return concatBytes([Uint8Array.of(0x21, label), ...blocks, Uint8Array.of(0)]);
}

/** XMP in a GIF isn't split into sub-blocks: its text is followed by a trailer that leads any reader out of it. */
function gifXmp(): Uint8Array {
  const trailer = Uint8Array.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);
  return concatBytes([asciiBytes('\x21\xff\x0bXMP DataXMP'), asciiBytes(xmp), trailer]);
}

async function gif(frames: number): Promise<Uint8Array> {
  const plain = await animation(frames).gif({ loop: 3, delay: 100 }).toBuffer();
  const bodyAt = 13 + ((plain[10] ?? 0) & 0x80 ? 3 << (((plain[10] ?? 0) & 7) + 1) : 0);
  return concatBytes([
    plain.subarray(0, bodyAt),
    gifBlock(0xfe, canary, canary),
    gifBlock(0xff, asciiBytes('CANARY-0001'), canary),
    gifXmp(),
    gifBlock(0x01, new Uint8Array(12), canary),
    plain.subarray(bodyAt),
    canary,
  ]);
}

function riffChunk(type: string, data: Uint8Array): Uint8Array {
  return concatBytes([asciiBytes(type), u32le(data.length), data, new Uint8Array(data.length % 2)]);
}

async function webp(image: sharp.Sharp): Promise<Uint8Array> {
  const plain = await image.toBuffer();
  const body = concatBytes([plain.subarray(8), riffChunk('JUNK', canary)]);
  return concatBytes([riffChunk('RIFF', body).subarray(0, 8), body, canary]);
}

async function tiff(options: sharp.TiffOptions): Promise<Uint8Array> {
  const plain = await withMetadata(picture()).tiff(options).toBuffer();
  return concatBytes([plain, canary]);
}

/** A V5 header with a linked profile, and gaps before and after the rows. */
function bmp(): Uint8Array {
  const [rows, gap] = [noise(WIDTH, HEIGHT, 3), 40];
  const bytes = Buffer.alloc(14 + 124 + gap + rows.length + canary.length, 0);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.write('CAN', 6, 'latin1');
  bytes.writeUInt32LE(14 + 124 + gap, 10);
  bytes.writeUInt32LE(124, 14);
  bytes.writeInt32LE(WIDTH, 18);
  bytes.writeInt32LE(HEIGHT, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  bytes.write('KNIL', 14 + 56, 'latin1');
  bytes.writeUInt32LE(124 + gap + rows.length, 14 + 112);
  bytes.writeUInt32LE(canary.length, 14 + 116);
  bytes.set(canary, 14 + 124);
  bytes.set(rows, 14 + 124 + gap);
  bytes.set(canary, 14 + 124 + gap + rows.length);
  return bytes;
}

/** An AVIF with metadata, and with boxes of all types in the file. */
async function avif(): Promise<Uint8Array> {
  const plain = await withMetadata(picture(4), 1).avif({ lossless: true }).toBuffer();
  return concatBytes([
    plain,
    writeBox('free', canary),
    writeBox('uuid', new Uint8Array(16), canary),
    writeBox('mpvd', canary),
    writeBox('udta', canary),
    canary,
  ]);
}

const JXL_CODESTREAM = jxlCodestream();

function jxlContainer(...codestream: readonly Uint8Array[]): Uint8Array {
  return concatBytes([
    asciiBytes('\0\0\0\x0cJXL \r\n\x87\n'),
    writeBox('ftyp', asciiBytes('jxl '), u32(0), asciiBytes('jxl ')),
    writeBox('jxll', Uint8Array.of(5)),
    writeBox('Exif', u32(0), canary),
    writeBox('xml ', canary),
    writeBox('jumb', canary),
    writeBox('brob', asciiBytes('Exif'), canary),
    writeBox('jbrd', canary),
    ...codestream,
    writeBox('xml ', canary),
    canary,
  ]);
}

async function svg(): Promise<Uint8Array> {
  const raster = Buffer.from(await jpeg({})).toString('base64');
  return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet href="${CANARY}.css"?>
<!-- ${CANARY} -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.com/${CANARY}.dtd" [
  <!ENTITY ns_svg "http://www.w3.org/2000/svg">
]>
<svg xmlns="&ns_svg;" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:i="http://example.com/i"
     width="192px" viewBox="0 0 40 20" i:author="${CANARY}" onload="${CANARY}" data-x="${CANARY}" aria-label="${CANARY}">
  <title>${CANARY}</title><desc>${CANARY}</desc>
  <metadata><x xmlns="urn:x">${CANARY}</x></metadata>
  <style><![CDATA[
    @import url(http://example.com/${CANARY});
    /* ${CANARY} */
    .a { fill: url(#g); stroke: url(http://example.com/${CANARY}); background: u\\72l(http://example.com/${CANARY}) }
    @font-face { src: url(http://example.com/${CANARY}) }
    @media print { .a { fill: red } }
  ]]></style>
  <script>${CANARY}</script>
  <foreignObject><body xmlns="http://www.w3.org/1999/xhtml">${CANARY}</body></foreignObject>
  <defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="#00f"/></linearGradient></defs>
  ${CANARY}
  <i:guide>${CANARY}</i:guide>
  <a href="javascript:${CANARY}" xlink:href="http://example.com/${CANARY}"><rect class="a" width="20" height="20"/></a>
  <rect x="20" width="20" height="20" fill="url(http://example.com/${CANARY})" style="fill:#0f0;filter:url('//${CANARY}')"/>
  <use href="http://example.com/${CANARY}#x"/><use xlink:href="#g"/>
  <image href="http://example.com/${CANARY}.png" width="4" height="4"/>
  <image xlink:href="data:image/jpeg;base64,${raster}" width="4" height="4"/>
  <image href="data:image/svg+xml;base64,${Buffer.from(`<svg>${CANARY}</svg>`).toString('base64')}"/>
  <rect width="1" height="1"><set attributeName="href" to="http://example.com/${CANARY}"/><animate attributeName="x" values="0;1"/></rect>
  <text font-size="12px" x="1" y="9">A &amp; <tspan>B</tspan></text>
</svg>`);
}

/** One sample for each format, or several if its files differ in structure. */
export async function imageSamples(): Promise<ImageSample[]> {
  const upright = { width: WIDTH, height: HEIGHT, frames: 1 };
  const turned = { width: HEIGHT, height: WIDTH, frames: 1 };
  const part = (number: number, ...bytes: number[]): Uint8Array =>
    writeBox('jxlp', u32(number), JXL_CODESTREAM.subarray(...bytes));
  return [
    { name: 'baseline JPEG', format: 'jpeg', bytes: await jpeg({}), ...turned },
    { name: 'progressive JPEG', format: 'jpeg', bytes: await jpeg({ progressive: true }), ...turned },
    { name: 'PNG', format: 'png', bytes: await png(), ...turned },
    { name: 'APNG', format: 'png', bytes: await apng(), ...upright, frames: 2 },
    { name: 'GIF', format: 'gif', bytes: await gif(1), ...upright },
    { name: 'animated GIF', format: 'gif', bytes: await gif(3), ...upright, frames: 3 },
    { name: 'WebP', format: 'webp', bytes: await webp(withMetadata(picture(), 1).webp()), ...upright },
    { name: 'simple WebP', format: 'webp', bytes: await webp(picture().webp()), ...upright },
    {
      name: 'lossless WebP',
      format: 'webp',
      bytes: await webp(picture(4).webp({ lossless: true })),
      ...upright,
    },
    {
      name: 'animated WebP',
      format: 'webp',
      // The profile of an animation is removed, and this sample shows that its pixels stay.
      bytes: await webp(animation(3).withExif(exif).withXmp(xmp).webp({ lossless: true })),
      ...upright,
      frames: 3,
    },
    { name: 'AVIF', format: 'avif', bytes: await avif(), ...upright },
    { name: 'AVIF sequence', format: 'avif', bytes: avifSequence(), width: 64, height: 48, frames: 3 },
    { name: 'HEIC', format: 'heic', bytes: heic(), width: 20, height: 40, frames: 1 },
    {
      name: 'bare JPEG XL',
      format: 'jxl',
      bytes: concatBytes([JXL_CODESTREAM, canary]),
      width: 16,
      height: 24,
      frames: 1,
    },
    {
      name: 'JPEG XL in its container',
      format: 'jxl',
      bytes: jxlContainer(writeBox('jxlc', JXL_CODESTREAM)),
      width: 16,
      height: 24,
      frames: 1,
    },
    {
      name: 'JPEG XL in parts',
      format: 'jxl',
      bytes: jxlContainer(part(0, 0, 3), part(0x80000001, 3), writeBox('jxlp', u32(2), canary)),
      width: 16,
      height: 24,
      frames: 1,
    },
    { name: 'TIFF', format: 'tiff', bytes: await tiff({ compression: 'none' }), ...turned },
    {
      name: 'tiled TIFF',
      format: 'tiff',
      bytes: await tiff({ compression: 'deflate', tile: true, tileWidth: 16, tileHeight: 16 }),
      ...turned,
    },
    { name: 'TIFF of JPEG strips', format: 'tiff', bytes: await tiff({ compression: 'jpeg' }), ...turned },
    { name: 'BigTIFF', format: 'tiff', bytes: await tiff({ compression: 'lzw', bigtiff: true }), ...turned },
    { name: 'BMP', format: 'bmp', bytes: bmp(), ...upright },
    { name: 'SVG', format: 'svg', bytes: await svg(), width: 192, height: 96, frames: 1 },
  ];
}
