import type { Inspector } from '../media-format';
import { inspectMatroska } from './matroska/matroska-inspector';
import { mp4Inspector } from './mp4/mp4-inspector';
import type { VideoFormat } from './video-facts';

/** The reader of each video format. */
export const videoInspectors: Partial<Record<VideoFormat, Inspector>> = {
  mp4: mp4Inspector('mp4'),
  mov: mp4Inspector('mov'),
  '3gp': mp4Inspector('3gp'),
  matroska: inspectMatroska,
};
