import { concatBytes } from '../bytes/arrays';
import { u32 } from '../bytes/numbers';
import { asciiBytes } from '../bytes/text';
import { writeBox } from '../isobmff/boxes';
import { mayShowLater, sniff } from './sniff';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const utf16 = (content: string): Uint8Array => Buffer.from(`\ufeff${content}`, 'utf16le');
const brands = (...names: string[]): Uint8Array =>
  writeBox('ftyp', asciiBytes(names[0] ?? ''), u32(0), ...names.slice(1).map(asciiBytes));
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';

describe('sniff', () => {
  // Promise [files]: The content of a file decides its type.
  it.each([
    ['avif', brands('avif', 'mif1')],
    ['avif', brands('avis', 'avif', 'msf1')],
    ['avif', brands('mif1', 'avif', 'miaf')],
    ['heic', brands('heic', 'mif1')],
    ['heic', brands('mif1', 'heic')],
    ['heic', brands('msf1', 'hevc')],
    ['mp4', brands('isom', 'iso2', 'avc1', 'mp41')],
    ['mp4', brands('M4V ', 'mp42')],
    ['mp4', brands('zzzz', 'mp42')],
    ['mov', brands('qt  ')],
    ['mov', writeBox('moov', new Uint8Array(8))],
    ['mov', writeBox('wide')],
    ['3gp', brands('3gp5', 'isom')],
    ['svg', text(SVG)],
    [
      'svg',
      text(`\ufeff  \n<?xml version="1.0"?>\n<!-- > --><!DOCTYPE svg PUBLIC "x" [<!ENTITY a "b">]>${SVG}`),
    ],
    ['svg', text('<?xml version="1.0"?><!-- a licence that is longer than the prefix')],
    ['svg', text('<s:svg xmlns:s="http://www.w3.org/2000/svg"/>')],
    ['svg', utf16(SVG)],
    ['tiff', asciiBytes('II*\0\x08\0\0\0\0\0')],
    ['tiff', asciiBytes('MM\0+\0\x08\0\0')],
    ['jxl', Uint8Array.of(0xff, 0x0a, 0)],
    ['matroska', concatBytes([Uint8Array.of(0x1a, 0x45, 0xdf, 0xa3, 0x9f), asciiBytes('B\x82\x84webm')])],
    ['mpegts', Uint8Array.from({ length: 600 }, (_, i) => (i % 188 === 0 ? 0x47 : 1))],
    ['mpegts', Uint8Array.from({ length: 600 }, (_, i) => (i % 192 === 4 ? 0x47 : 1))],
  ])('recognises %s', (format, bytes) => {
    expect(sniff(bytes)).toBe(format);
  });

  // Promise [formats]: A transport stream may begin in the middle of a packet.
  it('recognises a transport stream that begins in the middle of a packet, within 64 KiB', () => {
    const stream = (before: number, packets: number): Uint8Array =>
      Uint8Array.from({ length: before + packets * 188 }, (_, i) =>
        i >= before && (i - before) % 188 === 0 ? 0x47 : 1,
      );
    expect(sniff(stream(100, 5))).toBe('mpegts');
    expect(sniff(stream(100, 4))).toBeUndefined();
    expect(sniff(stream(65_535, 8))).toBe('mpegts');
    expect(sniff(stream(65_536, 8))).toBeUndefined();
  });

  it('waits for more bytes only of what can be a recording', () => {
    expect(mayShowLater(Uint8Array.of(1, 2, 0x47, 3))).toBe(true);
    expect(mayShowLater(Uint8Array.of(1, 2, 3))).toBe(false);
    expect(mayShowLater(text('GIVE ME A TEXT\nof lines'))).toBe(false);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['one byte', Uint8Array.of(0)],
    ['a PDF', asciiBytes('%PDF-1.7')],
    ['HTML', text('<!DOCTYPE html><html><svg></svg></html>')],
    ['HTML after a comment', text('<!-- x --><html></html>')],
    ['other XML', text('<?xml version="1.0"?><rss></rss>')],
    ['a zip', asciiBytes('PK\x03\x04')],
    ['an SVGZ', Uint8Array.of(0x1f, 0x8b, 8, 0)],
    ['a PSD', asciiBytes('8BPS\0\x01')],
    ['an icon', Uint8Array.of(0, 0, 1, 0, 1, 0, 16, 16)],
    ['a cursor', Uint8Array.of(0, 0, 2, 0, 1, 0, 16, 16)],
    ['a JP2', writeBox('jP  ', Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a))],
    ['a CR3', brands('crx ', 'crx ', 'isom')],
    ['a CR2', asciiBytes('II*\0\x10\0\0\0CR\x02\0')],
    ['text that starts like a BMP', text('BM is short for bitmap, and much else.')],
    ['an MP3', asciiBytes('ID3\x03\0\0\0\0\0\0')],
    ['a WAV', asciiBytes('RIFF\x24\0\0\0WAVEfmt ')],
  ])('refuses %s', (_, bytes) => {
    expect(sniff(bytes)).toBeUndefined();
  });
});
