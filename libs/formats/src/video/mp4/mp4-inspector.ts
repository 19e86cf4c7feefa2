import { ByteRanges, type ByteRange } from '../../bytes/byte-ranges';
import { type ByteSource, SourceWindow } from '../../bytes/byte-source';
import { UnreadableFileError, UnsupportedFormatError } from '../../errors/file-errors';
import type { Inspector } from '../../facts/inspection';
import { videoFacts } from '../../facts/media-facts';
import { boxSizes, type Box } from '../../isobmff/boxes';
import { isEmptyType, MAX_TEXT, scrubBoxes } from '../../isobmff/scrub-boxes';
import { isSoftwareText } from '../../metadata/software-name';
import { inPlace } from '../../rewriting/in-place';
import { Redaction } from '../../rewriting/redaction';
import { SampleScrubber } from '../elementary/sample-scrubber';
import { scrubFragment } from './fragment';
import { scrubMovie, type Movie } from './movie';

/** The tables of a `moov` are smaller, for hours of video within the size limit. */
const MAX_MOVIE = 1 << 25;
const MAX_FRAGMENT = 1 << 23;
const MAX_TOP_LEVEL_BOXES = 200_000;

const FREE = Uint8Array.from('free', (letter) => letter.charCodeAt(0));

/** Reads files of ISO base media (ISO/IEC 14496-12) and QuickTime that hold video. */
export function mp4Inspector(format: 'mp4' | 'mov' | '3gp'): Inspector {
  return async (source) => {
    const redaction = new Redaction(source);
    const { boxes, end } = await topLevelBoxes(source);
    redaction.cut(end, source.size);

    const moov = boxes.find((box) => box.type === 'moov');
    if (!moov) throw new UnreadableFileError('The file has no movie header.');
    const window = new SourceWindow(source);
    const movie = await inPlace(window, redaction, moov, MAX_MOVIE, (view, box) =>
      scrubMovie(view, box, source.size),
    );
    if (!movie.hasVideo) {
      if (movie.hasAudio) throw new UnsupportedFormatError('The file has no picture track.');
      throw new UnreadableFileError('The file has no track to show.');
    }
    const samples = new ByteRanges();
    movie.addSampleRanges(samples);
    for (const box of boxes) if (box !== moov) await scrubTopLevel(window, redaction, box, movie, samples);

    const data: ByteRange[] = boxes
      .filter((box) => box.type === 'mdat')
      .map(({ body, end: to }) => ({ from: body, to: to === source.size ? Infinity : to }));
    if (samples.isEmpty || !samples.liesIn(data)) {
      throw new UnreadableFileError('The samples of the movie lie outside its data.');
    }
    for (const { from, to } of samples.gapsIn(data)) redaction.fill(from, to);
    await scrubSamples(window, redaction, movie);
    return {
      facts: videoFacts(format, movie.displayedSize(), movie.duration()),
      rewrite: await redaction.rewrite(),
    };
  };
}

async function scrubSamples(window: SourceWindow, redaction: Redaction, movie: Movie): Promise<void> {
  const { codings, samples } = movie.codedSamples();
  const scrubbers = new Map(
    [...codings].map(([track, coding]) => [track, new SampleScrubber(window, redaction, coding)]),
  );
  for (const { from, to, track } of samples) await scrubbers.get(track)?.scrub(from, to);
}

/**
 * The boxes of the file, and the position of the first bytes that are no box. A truncated `mdat` ends with the file.
 */
async function topLevelBoxes(source: ByteSource): Promise<{ boxes: Box[]; end: number }> {
  const window = new SourceWindow(source);
  const boxes: Box[] = [];
  let at = 0;
  while (at < source.size) {
    const view = await window.at(at, 16);
    const header = boxSizes(view, 0, source.size - at);
    if (!header) break;
    const type = view.ascii(4, 4);
    const runsToEnd = view.u32(0) === 0;
    const isCut = at + header.size > source.size;
    if (type !== 'mdat' && (isCut || (runsToEnd && type !== 'moov'))) break;
    if (boxes.length >= MAX_TOP_LEVEL_BOXES) throw new UnreadableFileError('The file holds too many boxes.');
    const end = Math.min(at + header.size, source.size);
    boxes.push({ type, start: at, body: at + header.header, end });
    at = end;
  }
  return { boxes, end: at };
}

async function scrubTopLevel(
  window: SourceWindow,
  redaction: Redaction,
  box: Box,
  movie: Movie,
  samples: ByteRanges,
): Promise<void> {
  switch (box.type) {
    case 'ftyp':
    case 'styp':
    case 'sidx':
    case 'ssix':
    case 'mdat':
      return;
    case 'moof':
      await inPlace(window, redaction, box, MAX_FRAGMENT, (view, moof) =>
        scrubFragment(view, moof, box.start, movie.fragmentTracks, samples),
      );
      return;
    case 'mfra':
      await inPlace(window, redaction, box, MAX_FRAGMENT, (view, { body, end }) =>
        scrubBoxes(view, body, end, { tfra: 'keep', mfro: 'keep' }),
      );
      return;
    default:
      if (await isSoftwareNote(window, box)) return;
      if (!isEmptyType(box.type)) redaction.overwrite(box.start + 4, FREE);
      redaction.fill(box.body, box.end);
  }
}

/** Whether a box holds a muxer's name and nothing else. */
async function isSoftwareNote(window: SourceWindow, { type, body, end }: Box): Promise<boolean> {
  if (!isEmptyType(type) || end - body > MAX_TEXT) return false;
  return isSoftwareText((await window.at(body, end - body)).bytes);
}
