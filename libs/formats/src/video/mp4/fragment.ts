import type { ByteRanges } from '../../bytes/byte-ranges';
import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError } from '../../errors/file-errors';
import type { Box } from '../../isobmff/boxes';
import { boxesIn, childOf, neutralise, scrubBoxes, type BoxRules } from '../../isobmff/scrub-boxes';
import type { TrackSamples } from './sample-list';

/** The values of `trex`, for fragments of a track that don’t contain these values. */
export interface FragmentDefaults {
  readonly sampleDuration: number;
  readonly sampleSize: number;
}

export interface FragmentTrack {
  readonly defaults: FragmentDefaults;
  /** Collects its samples one by one; null if that isn't needed. */
  readonly samples: TrackSamples | null;
  /** End of the track's last sample so far, in its own timescale. */
  end: number;
}

const TRACK_FRAGMENT: BoxRules = {
  tfhd: 'keep',
  tfdt: 'keep',
  trun: 'keep',
  sdtp: 'keep',
  sbgp: 'keep',
  sgpd: 'keep',
  subs: 'keep',
};

/**
 * Scrubs one `moof` (the view, which starts at `moofStart` of the file) in place: removes the track fragments of
 * tracks that aren't in `tracks`. Adds the ranges of the kept samples, and updates the ends of the tracks.
 */
export function scrubFragment(
  view: ByteView,
  moof: Box,
  moofStart: number,
  tracks: ReadonlyMap<number, FragmentTrack>,
  ranges: ByteRanges,
): void {
  let implicitBase: number | null = moofStart;
  scrubBoxes(view, moof.body, moof.end, {
    mfhd: 'keep',
    traf: (_, traf) => {
      const tfhd = childOf(view, traf, 'tfhd');
      const track = tfhd && tracks.get(view.u32(tfhd.body + 4));
      if (!tfhd || !track) {
        neutralise(view, traf);
        implicitBase = null;
        return;
      }
      scrubBoxes(view, traf.body, traf.end, TRACK_FRAGMENT);
      implicitBase = addRuns(view, traf, tfhd, moofStart, implicitBase, track, ranges);
    },
  });
}

/**
 * Adds the samples of a track fragment (ISO/IEC 14496-12, sections 8.8.7 and 8.8.8). Returns where their data ends.
 */
function addRuns(
  view: ByteView,
  traf: Box,
  tfhd: Box,
  moofStart: number,
  implicitBase: number | null,
  track: FragmentTrack,
  ranges: ByteRanges,
): number {
  const flags = view.u24(tfhd.body + 1);
  let at = tfhd.body + 8;
  const optional = (flag: number, size: 4 | 8): number | undefined => {
    if (!(flags & flag)) return undefined;
    at += size;
    return size === 8 ? view.u64(at - 8) : view.u32(at - 4);
  };
  const explicitBase = optional(0x1, 8);
  optional(0x2, 4);
  const duration = optional(0x8, 4) ?? track.defaults.sampleDuration;
  const size = optional(0x10, 4) ?? track.defaults.sampleSize;
  const base = explicitBase ?? (flags & 0x20000 ? moofStart : implicitBase);
  if (base === null) throw new UnreadableFileError('A fragment counts from data that can’t be kept.');

  const tfdt = childOf(view, traf, 'tfdt');
  if (tfdt) track.end = view.u8(tfdt.body) === 1 ? view.u64(tfdt.body + 4) : view.u32(tfdt.body + 4);
  let position = base;
  for (const trun of boxesIn(view, traf.body, traf.end).filter((box) => box.type === 'trun')) {
    const run = readRun(view.slice(trun.body, trun.end), duration, size);
    const from = run.dataOffset === null ? position : base + run.dataOffset;
    if (from < 0) throw new UnreadableFileError('A fragment’s samples lie before the file.');
    position = from + run.size;
    ranges.add(from, position);
    track.end += run.duration;
    if (track.samples) run.addSamples(from, track.samples);
  }
  return position;
}

function readRun(trun: ByteView, defaultDuration: number, defaultSize: number) {
  const flags = trun.u24(1);
  const count = trun.u32(4);
  const dataOffset = flags & 0x1 ? trun.i32(8) : null;
  const first = 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag);
  const sizeAt = fields.indexOf(0x200);
  const durationAt = fields.indexOf(0x100);
  let size = sizeAt < 0 ? count * defaultSize : 0;
  let duration = durationAt < 0 ? count * defaultDuration : 0;
  if (fields.length > 0) {
    trun.slice(first, first + count * fields.length * 4);
    for (let sample = 0, at = first; sample < count; sample++, at += fields.length * 4) {
      if (sizeAt >= 0) size += trun.u32(at + sizeAt * 4);
      if (durationAt >= 0) duration += trun.u32(at + durationAt * 4);
    }
  }
  const sizeOf = (sample: number): number =>
    sizeAt < 0 ? defaultSize : trun.u32(first + (sample * fields.length + sizeAt) * 4);
  const addSamples = (from: number, samples: TrackSamples): void => {
    if (size === 0) return;
    for (let sample = 0, at = from; sample < count; sample++) {
      const bytes = sizeOf(sample);
      samples.add(at, bytes);
      at += bytes;
    }
  };
  return { dataOffset, size, duration, addSamples };
}
