import { AVIF_SEQUENCE, HEIF_TRACKS } from '../tools/decoders';
import { WITHOUT_EDITS } from '../tools/ffmpeg-arguments';
import type { VideoStream } from '../video/video-scan';
import { coloursOfSequence, streamsOfSequence } from './convert';
import { readFile, writeFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { MemorySource, readUncroppedHeif, isAmbiguousGif } from '@vitrine/formats';
import type { MediaJob } from '../jobs/protocol';
import { FRAME_EDGE, hashStill, type JudgedFrames, type Perceived } from '../perception/perceive';
import { type Pixels, toPixelsWithin } from '../pixels/pixels';
import { fitLongestEdge } from '../pixels/variant-plan';
import { decodeFor } from './decode-still';
import { openSource } from './image-source';
import { refuseOnFailure, UnprocessableFileError } from '../failures/failures';
import { chooseAny, MAX_OTHER_FRAMES, seededNumbers } from '../perception/frame-choice';
import { openStill, type ImageInput } from '../pixels/open-image';
import { MAX_ANIMATION_PIXELS } from '../pixels/pixel-limits';
import { perceiveHiddenVideo } from '../video/hidden-videos';
import { withAvifBrand } from './avif-brand';
import { picturesOfGainMap } from './gain-map';
import { readPicture } from './heic';
import { picturesOfProfiledInks } from './inks';
import { hasSeparateDefaultPicture } from './png/apng';

/** Takes values of the full range, 0 to 1, for those of the limited range, whose luma has 16 to 235 of 255. */
const STRETCHED = ['r', 'g', 'b'].flatMap((channel) => [`${channel}imin=16/255`, `${channel}imax=235/255`]);

/**
 * The track of an AVIF sequence in full range as Chromium shows it; null for other sequences. The standards (MIAF 7.3.6.4,
 * AV1 6.4.2) and Chromium's stills honour the range, and so do the variants. Chromium takes the values of every track for those
 * of the limited range.
 */
export async function limitedSequence(path: string): Promise<Omit<VideoStream, 'path'> | null> {
  const { codedColour } = await coloursOfSequence(path);
  if (!codedColour?.isFullRange) return null;
  const { colours } = await streamsOfSequence(path);
  return {
    ...{ stream: colours, kind: AVIF_SEQUENCE, options: WITHOUT_EDITS },
    filters: ['format=rgb24', `colorlevels=${STRETCHED.join(':')}`],
  };
}

/**
 * The still of a HEIC with what its crop leaves out: some programs ignore the crop. An AVIF loses its crop at upload. Upright
 * and in sRGB, with a longest edge of 512 pixels at most. Empty if the still isn't cropped.
 */
export async function uncroppedStill(job: MediaJob): Promise<(() => Promise<Pixels>)[]> {
  const file = await readUncroppedHeif(new MemorySource(await readFile(job.source)));
  if (!file) return [];
  const path = join(job.folder, 'uncropped');
  await writeFile(path, file);
  return [
    async () => {
      const source = await openSource({ ...job, source: path, media: { ...job.media, frames: 1 } });
      return (await decodeFor('jpg', source, fitLongestEdge(source, FRAME_EDGE))).pixels;
    },
  ];
}

/** Number of pages of a TIFF that are examined. */
const MAX_PAGES = 100;

/** Pictures of an original that its variants don't show, but that some programs do. */
interface OtherPictures {
  readonly pictures: readonly (() => Promise<Pixels>)[];
  /** False if there are more pictures than can be examined. */
  readonly complete: boolean;
  /** Whether the classifier judges all of them, and not only some. */
  readonly areAllJudged?: boolean;
}

const NONE: OtherPictures = { pictures: [], complete: true };

/**
 * Hashes the pictures that only the original shows: an APNG's default picture, the pages of a TIFF after the first, the still of
 * an AVIF sequence, and its frames in the range in which browsers read them, the video in a HEIC, what a crop leaves out, what a
 * screen with HDR shows of a picture with a gain map, CMYK as Chromium shows it. Adds those of a gain map, of CMYK or of a crop,
 * and some of the others, to the pictures that the classifier judges.
 */
export async function perceiveOtherPictures(
  job: MediaJob,
  judged: JudgedFrames,
): Promise<Pick<Perceived, 'hashes' | 'fullySeen'>> {
  const hidden = await hiddenVideoOf(job);
  const video = hidden ? await perceiveHiddenVideo(job, hidden, judged) : { hashes: [], fullySeen: true };
  const { pictures, complete, areAllJudged = false } = await findOthers(job);
  const places = pictures.map((_, place) => place);
  const count = areAllJudged ? places.length : MAX_OTHER_FRAMES;
  const chosen = new Set(chooseAny(places, count, seededNumbers(`${job.seed} others`)));
  const hashes = [...video.hashes];
  let fullySeen = complete && video.fullySeen;
  for (const [place, decode] of pictures.entries()) {
    try {
      const pixels = await refuseOnFailure(decode);
      hashes.push(...(await hashStill(pixels)));
      if (chosen.has(place)) await judged.add(pixels);
    } catch (error) {
      // The main picture is valid. A more tolerant program may still show this one.
      if (!(error instanceof UnprocessableFileError)) throw error;
      fullySeen = false;
    }
  }
  return { hashes, fullySeen };
}

async function findOthers(job: MediaJob): Promise<OtherPictures> {
  const { media, source, tools } = job;
  switch (media.format) {
    case 'jpeg': {
      const mapped = await refuseOnFailure(() => picturesOfGainMap(job));
      return all([...mapped, ...(await refuseOnFailure(() => picturesOfProfiledInks(job)))]);
    }
    case 'heic':
      return ofHeif(job);
    case 'gif': {
      const file = new MemorySource(await readFile(source));
      const isAmbiguous = await refuseOnFailure(() => isAmbiguousGif(file));
      return { pictures: [], complete: !isAmbiguous };
    }
    case 'png':
      return hasSeparateDefaultPicture(await readFile(source)) ? all([() => shrunk(source)]) : NONE;
    case 'avif': {
      if (media.frames === 1) return ofHeif(job);
      // The variants show the still, and without ffmpeg nothing can decode the other frames.
      if (!tools.ffmpeg) return { pictures: [], complete: false };
      const file = await readFile(source);
      if (!(await readPicture(file))) return NONE;
      return all([() => shrunk(withAvifBrand(source, file))]);
    }
    case 'tiff':
      return pagesOf(source);
    case 'jxl':
      // No available decoder returns the frames after the first.
      return { pictures: [], complete: media.frames <= 1 };
    default:
      return NONE;
  }
}

const all = (pictures: OtherPictures['pictures']): OtherPictures => ({
  ...{ pictures, complete: true, areAllJudged: true },
});

const ofHeif = async (job: MediaJob): Promise<OtherPictures> =>
  all([...(await refuseOnFailure(() => picturesOfGainMap(job))), ...(await uncropped(job))]);

const uncropped = (job: MediaJob): Promise<OtherPictures['pictures']> =>
  refuseOnFailure(() => uncroppedStill(job));

async function pagesOf(source: string): Promise<OtherPictures> {
  const { pages = 1 } = await refuseOnFailure(() => openStill(source).metadata());
  const pictures: (() => Promise<Pixels>)[] = [];
  let pixels = 0;
  for (let page = 1; page < Math.min(pages, MAX_PAGES); page++) {
    const { width, height } = await refuseOnFailure(() => openStill(source, { page }).metadata());
    pixels += width * height;
    if (pixels > MAX_ANIMATION_PIXELS) return { pictures, complete: false };
    pictures.push(() => shrunk(source, page));
  }
  return { pictures, complete: pages <= MAX_PAGES };
}

const shrunk = (input: ImageInput, page = 0): Promise<Pixels> =>
  toPixelsWithin(openStill(input, { page }), FRAME_EDGE);

/** The video in a file that its variants don't show; null if there is none. */
async function hiddenVideoOf(job: MediaJob): Promise<Omit<VideoStream, 'path'> | null> {
  if (await hasHiddenVideo(job)) return { stream: 'v:0', kind: HEIF_TRACKS, options: WITHOUT_EDITS };
  return job.tools.ffmpeg && isAvifSequence(job) ? limitedSequence(job.source) : null;
}

const isAvifSequence = ({ media }: MediaJob): boolean => media.format === 'avif' && media.frames > 1;

/** Whether a HEIC or a still AVIF has tracks besides its picture. upload-service writes `moov` before the data. */
async function hasHiddenVideo({ media, source }: MediaJob): Promise<boolean> {
  if (media.format !== 'heic' && !(media.format === 'avif' && media.frames === 1)) return false;
  const file = await open(source);
  try {
    const header = Buffer.alloc(16);
    for (let at = 0; (await file.read(header, 0, 16, at)).bytesRead >= 8;) {
      if (header.toString('latin1', 4, 8) === 'moov') return true;
      const size = header.readUInt32BE(0);
      const length = size === 1 ? Number(header.readBigUInt64BE(8)) : size;
      if (length < 8) return false;
      at += length;
    }
    return false;
  } finally {
    await file.close();
  }
}
