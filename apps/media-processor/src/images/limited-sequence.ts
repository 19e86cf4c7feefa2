import { AVIF_SEQUENCE } from '../tools/decoders';
import { WITHOUT_EDITS } from '../tools/ffmpeg-arguments';
import type { VideoStream } from '../video/video-scan';
import { coloursOfSequence, streamsOfSequence } from './convert';

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
