import type { ByteRanges } from '../../bytes/byte-ranges';
import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Box } from '../../isobmff/boxes';
import { childOf } from '../../isobmff/scrub-boxes';
import { sampleEntries } from './sample-description';
import type { TrackSamples } from './sample-list';

/** Adds the positions in the file of the samples of a track (ISO/IEC 14496-12, sections 8.7.3 to 8.7.5). */
export function addSampleRanges(view: ByteView, stbl: Box, isAudio: boolean, ranges: ByteRanges): void {
  const offsets = chunkOffsets(view, stbl);
  const samplesIn = samplesPerChunk(view, stbl);
  const sizeOf = sampleSizes(view, stbl, isAudio);
  for (let chunk = 0; chunk < offsets.count; chunk++) {
    const from = offsets.at(chunk);
    ranges.add(from, from + sizeOf(samplesIn(chunk)));
  }
}

/** Adds the position of each sample of a picture track, one by one. */
export function addSamples(view: ByteView, stbl: Box, samples: TrackSamples): void {
  const offsets = chunkOffsets(view, stbl);
  const samplesIn = samplesPerChunk(view, stbl);
  const sizeOf = sampleSizes(view, stbl, false);
  for (let chunk = 0; chunk < offsets.count; chunk++) {
    let from = offsets.at(chunk);
    for (let left = samplesIn(chunk); left > 0; left--) {
      const size = sizeOf(1);
      if (size === 0) break;
      samples.add(from, size);
      from += size;
    }
  }
}

function chunkOffsets(view: ByteView, stbl: Box): { count: number; at: (chunk: number) => number } {
  const stco = childOf(view, stbl, 'stco');
  if (stco) return { count: counted(view, stco, 4, 4), at: (chunk) => view.u32(stco.body + 8 + chunk * 4) };
  const co64 = childOf(view, stbl, 'co64');
  if (co64) return { count: counted(view, co64, 4, 8), at: (chunk) => view.u64(co64.body + 8 + chunk * 8) };
  return { count: 0, at: () => 0 };
}

/** Samples in each chunk. Call it for chunks in order. */
function samplesPerChunk(view: ByteView, stbl: Box): (chunk: number) => number {
  const stsc = childOf(view, stbl, 'stsc');
  const runs = stsc ? counted(view, stsc, 4, 12) : 0;
  let run = 0;
  return (chunk) => {
    if (!stsc || runs === 0) return 0;
    const entry = stsc.body + 8;
    while (run + 1 < runs && view.u32(entry + (run + 1) * 12) <= chunk + 1) run++;
    return view.u32(entry + run * 12 + 4);
  };
}

/** Bytes of the next `count` samples. Call it for samples in order. */
function sampleSizes(view: ByteView, stbl: Box, isAudio: boolean): (count: number) => number {
  const stsz = childOf(view, stbl, 'stsz');
  if (stsz) {
    const constant = view.u32(stsz.body + 4);
    if (constant !== 0) {
      const sound = isAudio && countsFrames(view, stbl) ? soundSize(view, stbl) : () => 0;
      return (count) => sound(count) || count * constant;
    }
    return summing(counted(view, stsz, 8, 4), (index) => view.u32(stsz.body + 12 + index * 4));
  }
  const stz2 = childOf(view, stbl, 'stz2');
  if (!stz2) return () => 0;
  const bits = view.u8(stz2.body + 7);
  const sizes = stz2.body + 12;
  if (bits === 16) return summing(counted(view, stz2, 8, 2), (index) => view.u16(sizes + index * 2));
  if (bits === 8) return summing(counted(view, stz2, 8, 1), (index) => view.u8(sizes + index));
  if (bits !== 4) throw new UnreadableFileError('The sample sizes can’t be read.');
  const count = Math.min(view.u32(stz2.body + 8), (stz2.end - sizes) * 2);
  return summing(count, (index) => (view.u8(sizes + (index >> 1)) >> (index % 2 ? 0 : 4)) & 15);
}

function summing(total: number, sizeAt: (index: number) => number): (count: number) => number {
  let next = 0;
  return (count) => {
    let sum = 0;
    for (const end = Math.min(total, next + count); next < end; next++) sum += sizeAt(next);
    return sum;
  };
}

/** Whether each sample of a track lasts one unit of its time scale: then samples of sound are frames, not packets. */
function countsFrames(view: ByteView, stbl: Box): boolean {
  const stts = childOf(view, stbl, 'stts');
  return stts !== undefined && counted(view, stts, 4, 8) > 0 && view.u32(stts.body + 12) === 1;
}

/** Bytes of each channel's sample, for codecs whose names imply it; the entries of others give their bits. */
const PLAIN_BYTES: ReadonlyMap<string, number | null> = new Map([
  ...([['ulaw', 1], ['alaw', 1], ['in24', 3], ['in32', 4], ['fl32', 4], ['fl64', 8]] as const), // prettier-ignore
  ...(['raw ', 'twos', 'sowt', 'lpcm', 'NONE', 'ipcm', 'fpcm'] as const).map((type) => [type, null] as const),
]);
/** Frames of a packet, and bytes of each channel in it, for codecs whose oldest entries don't give them. */
const PACKETS: ReadonlyMap<string, readonly [frames: number, bytes: number]> = new Map([
  ['ima4', [64, 34]],
  ['agsm', [160, 33]],
  ['MAC3', [6, 2]],
  ['MAC6', [6, 1]],
]);

/**
 * Bytes of a frame of sound. QuickTime counts sound of constant size in frames, whatever `stsz` says (QuickTime File
 * Format, "Sound sample descriptions"). 0 if the entry doesn't give them.
 */
function soundSize(view: ByteView, stbl: Box): (frames: number) => number {
  const stsd = childOf(view, stbl, 'stsd');
  const entry = stsd && sampleEntries(view, stsd)[0];
  if (!stsd || !entry) return () => 0;
  const fields = view.slice(entry.body, entry.end);
  const version = view.u8(stsd.body) === 0 ? fields.u16(8) : 0;
  const inPackets = (frames: number, bytes: number) => (count: number) =>
    Math.ceil(count / (frames || 1)) * bytes;
  if (version === 1) return inPackets(fields.u32(28), fields.u32(36));
  if (version === 2) return inPackets(fields.u32(60), fields.u32(56));
  const [channels, bits] = [fields.u16(16), fields.u16(18)];
  const packet = PACKETS.get(entry.type);
  if (packet) return inPackets(packet[0], packet[1] * channels);
  const bytes = PLAIN_BYTES.get(entry.type);
  return bytes === undefined ? () => 0 : inPackets(1, channels * (bytes ?? Math.ceil(bits / 8)));
}

/** Number of entries of a table: the number that it claims, limited to those that fit. */
function counted(view: ByteView, box: Box, countAt: number, entrySize: number): number {
  const room = Math.max(0, box.end - box.body - countAt - 4);
  return Math.min(view.u32(box.body + countAt), Math.floor(room / entrySize));
}
