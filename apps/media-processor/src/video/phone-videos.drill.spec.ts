import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PATCHES, PHONE_VIDEOS, type PhoneVideo, VideoSamples } from '@vitrine/testing';
import { Bench } from '../../test/samples/jobs';
import {
  type Corner,
  hueOf,
  lengthOf,
  MeasuredVideo,
  onsetOf,
  toneShare,
} from '../../test/samples/measured-video';
import { VideoProcessor } from './video-processor';

/** Seconds by which a container's rounding and an encoder's frames may change a duration. */
const FRAME = 0.05;
/** Samples of a packet of AAC. The last packet is decoded whole. */
const AAC_PACKET = 1024;
/** Steps of 255 by which encoding may change a plain colour. */
const COLOUR = 14;

describe('files of phones, cameras and screen recorders', () => {
  let bench: Bench;
  let samples: VideoSamples;

  beforeAll(async () => {
    [bench, samples] = await Promise.all([Bench.open(), VideoSamples.open()]);
  });
  afterAll(() => Promise.all([bench.close(), samples.close()]));

  async function process(video: PhoneVideo): Promise<{ largest: MeasuredVideo; smallest: MeasuredVideo }> {
    const file = await readFile(await samples.make(video));
    const job = await bench.job(file, { kind: 'video', format: video.format, ext: video.ext });
    const result = await new VideoProcessor().process(job, () => undefined);
    const { width, height, duration } = video.expected;
    expect(result).toMatchObject({ width, height });
    expect(Math.abs((result.duration ?? 0) - duration)).toBeLessThanOrEqual(FRAME);
    const measured = (size: string): MeasuredVideo => {
      const key = result.variants.find(({ name }) => name === size)?.key ?? '';
      return new MeasuredVideo(join(job.folder, key.replace('f/abc1234_', '')));
    };
    return { largest: measured('xl'), smallest: measured('xs') };
  }

  // Promise [files]: Videos of phones are processed.
  it.each(PHONE_VIDEOS.map((video) => [video.what, video] as const))('processes %s', async (_, video) => {
    const { frames, duration, sound, card } = video.expected;
    const { largest, smallest } = await process(video);
    for (const rendition of [largest, smallest]) {
      const [picture] = rendition.streams('video');
      expect(picture).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', start_time: '0.000000' });
      expect(Math.abs(Number(picture?.['duration']) - duration)).toBeLessThanOrEqual(FRAME);
      if (frames) expect(Math.abs(Number(picture?.['nb_read_frames']) - frames)).toBeLessThanOrEqual(1);
      expect(rendition.streams('audio')).toHaveLength(sound ? 1 : 0);
      if (!sound) continue;
      expect(rendition.streams('audio')[0]).toMatchObject({ codec_name: 'aac', channels: sound.channels });
    }
    if (sound) {
      // Both renditions have the same packets of sound.
      const heard = largest.sound();
      const packet = AAC_PACKET / Number(largest.streams('audio')[0]?.['sample_rate']);
      expect(Math.abs(lengthOf(heard) - sound.seconds)).toBeLessThanOrEqual(FRAME + packet);
      expect(toneShare(heard, sound.hertz)).toBeGreaterThan(0.4);
      if (sound.silence) expect(Math.abs(onsetOf(heard) - sound.silence)).toBeLessThanOrEqual(FRAME);
    }
    if (card) for (const frame of ['first', 'last'] as const) expectCard(largest, card, frame);
  });
});

/**
 * Expects the patches at their positions; SDR keeps its colours, HDR its greys and hues, and white stays close to
 * white.
 */
function expectCard(video: MeasuredVideo, card: 'sdr' | 'hdr', frame: 'first' | 'last'): void {
  const shown = video.corners(frame);
  for (const corner of Object.keys(PATCHES) as Corner[]) {
    const [[r, g, b], meant] = [shown[corner], PATCHES[corner]];
    if (card === 'sdr') {
      const off = Math.max(Math.abs(r - meant[0]), Math.abs(g - meant[1]), Math.abs(b - meant[2]));
      expect([corner, off <= COLOUR, shown[corner]]).toEqual([corner, true, shown[corner]]);
    } else if (corner === 'topLeft' || corner === 'bottomLeft') {
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThanOrEqual(COLOUR);
      expect(Math.abs(r - meant[0])).toBeLessThanOrEqual(45);
    } else {
      const turn = Math.abs(hueOf(shown[corner]) - hueOf(meant));
      expect(Math.min(turn, 360 - turn)).toBeLessThanOrEqual(10);
      expect(Math.abs(Math.max(r, g, b) - Math.max(...meant))).toBeLessThanOrEqual(45);
    }
  }
}
