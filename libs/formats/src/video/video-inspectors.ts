import type { Inspector } from '../media-format';
import { inspectAsf } from './asf/asf-inspector';
import { inspectAvi } from './avi';
import { inspectFlv } from './flv';
import { inspectMatroska } from './matroska/matroska-inspector';
import { mp4Inspector } from './mp4/mp4-inspector';
import { inspectProgramStream } from './mpeg/program-stream';
import { inspectTransportStream } from './mpeg/transport-stream';
import { inspectOgg } from './ogg/ogg-inspector';
import type { VideoFormat } from './video-facts';

/** The reader of each video format. */
export const videoInspectors: Readonly<Record<VideoFormat, Inspector>> = {
  mp4: mp4Inspector('mp4'),
  mov: mp4Inspector('mov'),
  '3gp': mp4Inspector('3gp'),
  matroska: inspectMatroska,
  avi: inspectAvi,
  mpegts: inspectTransportStream,
  mpegps: inspectProgramStream,
  flv: inspectFlv,
  asf: inspectAsf,
  ogg: inspectOgg,
};
