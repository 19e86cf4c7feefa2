import type { ByteRanges } from '../../bytes/byte-ranges';
import type { ByteView } from '../../bytes/byte-view';
import { UnreadableFileError, UnsupportedVariantError } from '../../errors/file-errors';
import { displayedSize, type Ratio, type Size } from '../../facts/displayed-size';
import type { Box } from '../../isobmff/boxes';
import {
  boxesIn,
  childOf,
  neutralise,
  scrubBoxes,
  type BoxRule,
  type BoxRules,
} from '../../isobmff/scrub-boxes';
import type { SampleCoding } from '../elementary/sample-scrubber';
import type { FragmentTrack } from './fragment';
import { objectType, sampleCoding } from './sample-coding';
import { sampleEntries, scrubAudioDescriptions, scrubVideoDescriptions } from './sample-description';
import { SampleList, type Sample, type TrackSamples } from './sample-list';
import { addSampleRanges, addSamples } from './sample-table';
import { scrubHandler, scrubObjectDescriptor, scrubUserData } from './software-boxes';

/** The boxes of a track with sound or moving pictures. */
interface TrackBoxes {
  readonly box: Box;
  readonly id: number;
  readonly kind: 'video' | 'audio';
  readonly tkhd: Box;
  readonly mdhd: Box;
  readonly stbl: Box;
  readonly entry: Box;
}

/** A kept track. */
interface Track extends TrackBoxes {
  /** Picture samples that may hold comments; those of fragments are added when these are read. */
  readonly coded: CodedSamples | null;
}

interface CodedSamples {
  readonly coding: SampleCoding;
  readonly samples: TrackSamples & { readonly index: number };
}

export interface Movie {
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
  /** Adds the positions of the samples in the kept tracks' sample tables. */
  addSampleRanges(ranges: ByteRanges): void;
  /** The kept tracks by their id, for `scrubFragment`. */
  readonly fragmentTracks: ReadonlyMap<number, FragmentTrack>;
  /**
   * Each sample that may hold comments, in the order of the file, with the coding of its track. Call it after all
   * fragments are read and the ranges are checked.
   */
  codedSamples(): { readonly codings: ReadonlyMap<number, SampleCoding>; readonly samples: Iterable<Sample> };
  displayedSize(): Size;
  /** Seconds; call it after all fragments are read. */
  duration(): number;
}

/** Codecs of stills; a track of one such picture is a cover. */
const STILL_CODECS = new Set(['jpeg', 'mjpa', 'mjpb', 'png ', 'tiff', 'gif ', 'BMP ', 'WRLE']);
/** JPEG, PNG and JPEG 2000 as objects of MPEG-4 (ISO/IEC 14496-1, table 5). */
const STILL_OBJECTS = new Set([0x6c, 0x6d, 0x6e]);

const MEDIA_INFORMATION: BoxRules = {
  vmhd: (view, box) => blankTail(view, box, 12),
  smhd: (view, box) => blankTail(view, box, 8),
  gmhd: { gmin: 'keep' },
  hdlr: scrubHandler,
  dinf: { dref: blankReferences },
};

const SAMPLE_TABLE: BoxRules = {
  stts: 'keep',
  ctts: 'keep',
  cslg: 'keep',
  stss: 'keep',
  stps: 'keep',
  stsc: 'keep',
  stsz: 'keep',
  stz2: 'keep',
  stco: 'keep',
  co64: 'keep',
  sdtp: 'keep',
  sgpd: 'keep',
  sbgp: 'keep',
  subs: 'keep',
  stsh: 'keep',
  stdp: 'keep',
  padb: 'keep',
};

/**
 * Scrubs a whole `moov` of a file of `fileSize` bytes in place, so that offsets into the file stay valid, and returns
 * its content.
 */
export function scrubMovie(view: ByteView, moov: Box, fileSize: number): Movie {
  const mvhd = childOf(view, moov, 'mvhd');
  if (!mvhd || childOf(view, moov, 'cmov')) throw new UnreadableFileError('The movie has no header to read.');
  const list = new SampleList(fileSize);
  const tracks = keptTracks(view, moov, list);
  const trackAt = new Map(tracks.map((track) => [track.box.start, track]));
  const fragmentTracks = readFragmentTracks(view, moov, tracks);
  const video = tracks.find((track) => track.kind === 'video');
  const picture = video && pictureSize(view, mvhd, video);
  const seconds = tracks.map((track) => trackDuration(view, mvhd, track));

  scrubBoxes(view, moov.body, moov.end, {
    mvhd: (_, box) => blankHeader(view, box, 100, 112),
    mvex: { mehd: 'keep', trex: 'keep', leva: 'keep' },
    iods: scrubObjectDescriptor,
    udta: scrubUserData,
    trak: (_, box) => {
      const track = trackAt.get(box.start);
      if (track) scrubBoxes(view, box.body, box.end, trackRules(track.kind));
      else neutralise(view, box);
    },
  });

  return {
    hasVideo: video !== undefined,
    hasAudio: tracks.some((track) => track.kind === 'audio'),
    fragmentTracks,
    addSampleRanges: (ranges) => {
      for (const track of tracks) addSampleRanges(view, track.stbl, track.kind === 'audio', ranges);
    },
    codedSamples: () => {
      const codings = new Map<number, SampleCoding>();
      for (const { stbl, coded } of tracks) {
        if (!coded) continue;
        addSamples(view, stbl, coded.samples);
        codings.set(coded.samples.index, coded.coding);
      }
      return { codings, samples: list.inOrder() };
    },
    displayedSize: () => {
      if (!picture) throw new UnreadableFileError('The movie has no picture track.');
      return picture;
    },
    duration: () => {
      const fragments = tracks.map(({ id, mdhd }) => {
        return (fragmentTracks.get(id)?.end ?? 0) / timescale(view, mdhd);
      });
      return Math.max(0, ...seconds, ...fragments);
    },
  };
}

function trackRules(kind: Track['kind']): BoxRules {
  const stsd: BoxRule = kind === 'video' ? scrubVideoDescriptions : scrubAudioDescriptions;
  return {
    tkhd: (view, box) => blankHeader(view, box, 84, 96),
    edts: { elst: 'keep' },
    tapt: { clef: 'keep', prof: 'keep', enof: 'keep' },
    udta: scrubUserData,
    mdia: {
      mdhd: (view, box) => blankHeader(view, box, 24, 36),
      hdlr: scrubHandler,
      minf: { ...MEDIA_INFORMATION, stbl: { ...SAMPLE_TABLE, stsd } },
    },
  };
}

function keptTracks(view: ByteView, moov: Box, list: SampleList): Track[] {
  const boxes = boxesIn(view, moov.body, moov.end).filter((box) => box.type === 'trak');
  const chapters = new Set(boxes.flatMap((box) => chapterTracks(view, box)));
  return boxes
    .map((box) => readTrack(view, box))
    .filter((track) => track !== null)
    .filter((track) => !chapters.has(track.id) && !isCover(view, track))
    .map((track) => ({ ...track, coded: track.kind === 'video' ? codedSamples(view, track, list) : null }));
}

/** @throws UnsupportedVariantError if the codec of one of the sample entries isn't accepted, or differs from the first. */
function codedSamples(view: ByteView, { stbl, entry }: TrackBoxes, list: SampleList): CodedSamples | null {
  const stsd = childOf(view, stbl, 'stsd');
  const others = (stsd ? sampleEntries(view, stsd) : []).filter(({ type }) => type !== entry.type);
  const coding = sampleCoding(view, entry);
  for (const other of others) sampleCoding(view, other);
  if (others.length > 0)
    throw new UnsupportedVariantError('Videos that change their codec are not supported.');
  return coding && { coding, samples: list.track() };
}

/** Null for a track that is neither sound nor moving picture: text, timecodes, positions, other telemetry, hints. */
function readTrack(view: ByteView, box: Box): TrackBoxes | null {
  const tkhd = childOf(view, box, 'tkhd');
  const mdia = childOf(view, box, 'mdia');
  const mdhd = mdia && childOf(view, mdia, 'mdhd');
  const hdlr = mdia && childOf(view, mdia, 'hdlr');
  const minf = mdia && childOf(view, mdia, 'minf');
  const stbl = minf && childOf(view, minf, 'stbl');
  const stsd = stbl && childOf(view, stbl, 'stsd');
  const entry = stsd && sampleEntries(view, stsd)[0];
  if (!tkhd || !mdhd || !hdlr || !minf || !stbl || !entry) return null;
  const handler = view.ascii(hdlr.body + 8, 4);
  if ((handler !== 'vide' && handler !== 'soun') || isExternal(view, minf)) return null;
  const id = view.u32(tkhd.body + (view.u8(tkhd.body) === 1 ? 20 : 12));
  const kind = handler === 'vide' ? 'video' : 'audio';
  return { box, id, kind, tkhd, mdhd, stbl, entry };
}

/** The tracks that hold the titles and pictures of another track's chapters. */
function chapterTracks(view: ByteView, trak: Box): number[] {
  const tref = childOf(view, trak, 'tref');
  const chap = tref && childOf(view, tref, 'chap');
  if (!chap) return [];
  const count = Math.floor((chap.end - chap.body) / 4);
  return Array.from({ length: count }, (_, index) => view.u32(chap.body + index * 4));
}

/** Whether the samples lie in another file. */
function isExternal(view: ByteView, minf: Box): boolean {
  const dinf = childOf(view, minf, 'dinf');
  const dref = dinf && childOf(view, dinf, 'dref');
  if (!dref) return false;
  return boxesIn(view, Math.min(dref.body + 8, dref.end), dref.end).some(
    ({ body, end }) => end - body < 4 || (view.u32(body) & 1) === 0,
  );
}

function isCover(view: ByteView, { kind, stbl, entry }: TrackBoxes): boolean {
  const stsz = childOf(view, stbl, 'stsz');
  if (kind !== 'video' || !stsz || view.u32(stsz.body + 8) !== 1) return false;
  return (
    STILL_CODECS.has(entry.type) || (entry.type === 'mp4v' && STILL_OBJECTS.has(objectType(view, entry)))
  );
}

function readFragmentTracks(view: ByteView, moov: Box, tracks: readonly Track[]): Map<number, FragmentTrack> {
  const mvex = childOf(view, moov, 'mvex');
  const defaults = new Map(
    (mvex ? boxesIn(view, mvex.body, mvex.end) : [])
      .filter((box) => box.type === 'trex')
      .map(({ body }) => [
        view.u32(body + 4),
        { sampleDuration: view.u32(body + 12), sampleSize: view.u32(body + 16) },
      ]),
  );
  return new Map(
    tracks.map(({ id, coded }) => [
      id,
      {
        defaults: defaults.get(id) ?? { sampleDuration: 0, sampleSize: 0 },
        samples: coded?.samples ?? null,
        end: 0,
      },
    ]),
  );
}

function pictureSize(view: ByteView, mvhd: Box, { tkhd, entry }: Track): Size {
  const coded = { width: view.u16(entry.body + 24), height: view.u16(entry.body + 26) };
  const matrixAt = tkhd.body + (view.u8(tkhd.body) === 1 ? 52 : 40);
  const shown = { width: view.u32(matrixAt + 36) / 65_536, height: view.u32(matrixAt + 40) / 65_536 };
  const movieMatrixAt = mvhd.body + (view.u8(mvhd.body) === 1 ? 48 : 36);
  const sideways = isSideways(view, matrixAt) !== isSideways(view, movieMatrixAt);
  if (coded.width === 0 || coded.height === 0) return displayedSize(shown, undefined, sideways);
  return displayedSize(coded, pixelAspect(view, entry) ?? stretch(coded, shown), sideways);
}

function pixelAspect(view: ByteView, entry: Box): Ratio | undefined {
  const pasp = boxesIn(view, Math.min(entry.body + 78, entry.end), entry.end).find(
    (box) => box.type === 'pasp',
  );
  return pasp && { num: view.u32(pasp.body), den: view.u32(pasp.body + 4) };
}

function stretch(coded: Size, shown: Size): Ratio {
  return { num: shown.width * coded.height, den: shown.height * coded.width };
}

/** Whether a matrix `a b u c d v x y w` rotates by 90° or 270°, mirrored or not. */
function isSideways(view: ByteView, at: number): boolean {
  const [a, b, c, d] = [0, 4, 12, 16].map((field) => Math.abs(view.i32(at + field)));
  return (b ?? 0) + (c ?? 0) > (a ?? 0) + (d ?? 0);
}

function timescale(view: ByteView, header: Box): number {
  return view.u32(header.body + (view.u8(header.body) === 1 ? 20 : 12)) || 1;
}

/**
 * Seconds by the track's header, which takes edits into account, or else by the header of its media; 0 if unknown.
 */
function trackDuration(view: ByteView, mvhd: Box, { tkhd, mdhd }: Track): number {
  const edited = durationAt(view, tkhd, 20, 28) / timescale(view, mvhd);
  return edited || durationAt(view, mdhd, 16, 24) / timescale(view, mdhd);
}

function durationAt(view: ByteView, { body }: Box, short: number, long: number): number {
  if (view.u8(body) !== 1) {
    const value = view.u32(body + short);
    return value === 0xffff_ffff ? 0 : value;
  }
  return view.u32(body + long) === 0xffff_ffff ? 0 : view.u64(body + long);
}

/** Zeroes the times of creation and change in `mvhd`, `tkhd` or `mdhd`, and bytes after the known fields. */
function blankHeader(view: ByteView, box: Box, shortSize: number, longSize: number): void {
  const isLong = view.u8(box.body) === 1;
  const times = box.body + 4;
  view.slice(times, times + (isLong ? 16 : 8)).bytes.fill(0);
  blankTail(view, box, isLong ? longSize : shortSize);
}

function blankTail(view: ByteView, box: Box, size: number): void {
  if (box.body + size < box.end) view.bytes.fill(0, box.body + size, box.end);
}

/** Blanks references to data, which may hold volume names and paths. */
function blankReferences(view: ByteView, dref: Box): void {
  const entries = boxesIn(view, Math.min(dref.body + 8, dref.end), dref.end);
  for (const entry of entries) blankTail(view, entry, 4);
  view.bytes.fill(0, entries.at(-1)?.end ?? dref.end, dref.end);
}
