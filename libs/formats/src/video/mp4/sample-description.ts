import type { ByteView } from '../../bytes/byte-view';
import type { Box } from '../../isobmff/boxes';
import { boxesIn, neutralise, scrubBoxes, type BoxRules } from '../../isobmff/scrub-boxes';
import { cleanColourBox } from '../../metadata/colour-profile';
import { scrubFlacBlocks } from '../../metadata/flac-metadata';
import { scrubAv1Configuration } from '../elementary/av1-metadata';
import { scrubDecoderHeaders, scrubRecord } from './sample-coding';
import { scrubCompressorName, scrubVendor } from './software-boxes';

/**
 * Boxes that a decoder or a renderer of the samples may need. A crop (`clap`) isn't among them: ffmpeg from 7.1 on and
 * Apple's programs apply it, but other browsers show the whole picture.
 */
const VIDEO_EXTENSIONS: BoxRules = {
  ...keepAll(
  'lhvC', 'vvcC', 'vpcC', 'dvcC', 'dvvC', 'dvwC', 'hvcE', 'dvcE', 'd263', 'bitr',
  'glbl', 'ACLR', 'ARES', 'APRG', 'SMI ', 'jp2h', 'pasp', 'fiel', 'gama', 'chrm', 'btrt', 'mdcv',
  'clli', 'cclv', 'amve', 'SmDm', 'CoLL', 'st3d', 'vexu', 'hfov', 'alpa',
), // prettier-ignore
  avcC: scrubRecord('h264'),
  hvcC: scrubRecord('hevc'),
  av1C: (view, box) => scrubAv1Configuration(view.bytes.subarray(box.body, box.end)),
  esds: scrubDecoderHeaders,
  colr: scrubColours,
};

const AUDIO_EXTENSIONS: BoxRules = {
  ...keepAll(
    'esds', 'chan', 'chnl', 'srat', 'alac', 'dOps', 'dac3', 'dec3', 'dac4', 'dmlp', 'damr', 'ddts', 'mhaC', 'btrt',
    'pcmC', 'SA3D', 'iacb', 'dvi ',
  ), // prettier-ignore
  dfLa: (view, box) => scrubFlacBlocks(view.slice(Math.min(box.body + 4, box.end), box.end)),
  wave: scrubWave,
};

/** QuickTime's players tell codecs apart by codes, so a name in prose that is no program's can be removed. */
const COMPRESSOR_NAME = { from: 42, to: 74 };
const VENDOR = { from: 12, to: 16 };

function keepAll(...types: string[]): BoxRules {
  return Object.fromEntries(types.map((type) => [type, 'keep' as const]));
}

/** Blanks vendor and compressor name, unless they are a program's, and unknown boxes in a video track's `stsd`. */
export function scrubVideoDescriptions(view: ByteView, stsd: Box): void {
  scrubEntries(view, stsd, (entry) => {
    const fields = view.slice(entry.body, entry.end);
    scrubVendor(fields.slice(VENDOR.from, VENDOR.to).bytes);
    scrubCompressorName(fields.slice(COMPRESSOR_NAME.from, COMPRESSOR_NAME.to).bytes);
    scrubBoxes(view, entry.body + 78 + colourTableSize(view, entry), entry.end, VIDEO_EXTENSIONS);
  });
}

/** Blanks the vendor, unless it is a program's, and unknown boxes in an audio track's `stsd`. */
export function scrubAudioDescriptions(view: ByteView, stsd: Box): void {
  const isQuickTime = view.u8(stsd.body) === 0;
  scrubEntries(view, stsd, (entry) => {
    scrubVendor(view.slice(entry.body, entry.end).slice(VENDOR.from, VENDOR.to).bytes);
    const version = isQuickTime ? view.u16(entry.body + 8) : 0;
    const fields = version === 1 ? 44 : version === 2 ? 64 : 28;
    scrubBoxes(view, Math.min(entry.body + fields, entry.end), entry.end, AUDIO_EXTENSIONS);
  });
}

/** The sample entries of an `stsd`. */
export function sampleEntries(view: ByteView, stsd: Box): Box[] {
  return boxesIn(view, Math.min(stsd.body + 8, stsd.end), stsd.end);
}

function scrubEntries(view: ByteView, stsd: Box, scrub: (entry: Box) => void): void {
  const entries = sampleEntries(view, stsd);
  entries.forEach(scrub);
  view.bytes.fill(0, entries.at(-1)?.end ?? stsd.end, stsd.end);
}

/**
 * Bytes of a palette, which follows the fields if the depth is at most 8 bits and the colour table 0 (QuickTime File
 * Format, "Color table").
 */
function colourTableSize(view: ByteView, entry: Box): number {
  const depth = view.u16(entry.body + 74) & 0x1f;
  if (depth > 8 || view.u16(entry.body + 76) !== 0) return 0;
  return 8 + (view.u16(entry.body + 84) + 1) * 8;
}

/** Scrubs QuickTime's wrapper around a codec's own configuration, which has the codec's name. */
function scrubWave(view: ByteView, wave: Box): void {
  const format = childFormat(view, wave);
  scrubBoxes(view, wave.body, wave.end, {
    ...keepAll('frma', 'enda', 'esds', 'alac', 'chan', 'samr', 'damr', 'QDCA', 'QDCP'),
    ...(format ? keepAll(format) : {}),
  });
}

/** Cleans a box with colours in place, with zeros at its end; neutralises one that may hold anything else. */
function scrubColours(view: ByteView, box: Box): void {
  const body = view.bytes.subarray(box.body, box.end);
  const clean = cleanColourBox(body);
  if (!clean || clean.length > body.length) neutralise(view, box);
  else if (clean !== body) body.fill(0).set(clean);
}

function childFormat(view: ByteView, wave: Box): string | undefined {
  const frma = boxesIn(view, wave.body, wave.end).find((box) => box.type === 'frma');
  return frma && frma.end - frma.body >= 4 ? view.ascii(frma.body, 4) : undefined;
}
