import type { FormatName, ImageFormatName, VideoFormatName } from '../facts/format-names';
import type { Inspector } from '../facts/inspection';
import { inspectBmp } from '../image/bmp';
import { inspectGif } from '../image/gif';
import { inspectHeif } from '../image/heif/heif';
import { inspectJpeg } from '../image/jpeg';
import { inspectJxl } from '../image/jxl/jxl';
import { inspectPng } from '../image/png';
import { inspectTiff } from '../image/tiff/tiff';
import { inspectWebp } from '../image/webp';
import { inspectAsf } from '../video/asf/asf-inspector';
import { inspectAvi } from '../video/avi/avi';
import { inspectFlv } from '../video/flv/flv';
import { inspectMatroska } from '../video/matroska/matroska-inspector';
import { mp4Inspector } from '../video/mp4/mp4-inspector';
import { inspectProgramStream } from '../video/mpeg/program-stream';
import { inspectTransportStream } from '../video/mpeg/transport-stream';
import { inspectOgg } from '../video/ogg/ogg-inspector';

/** The reader of each picture format. */
export const imageInspectors: Readonly<Record<ImageFormatName, Inspector>> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  gif: inspectGif,
  webp: inspectWebp,
  avif: inspectHeif,
  heic: inspectHeif,
  jxl: inspectJxl,
  tiff: inspectTiff,
  bmp: inspectBmp,
  // Its parsers take 70 ms to load, in every process and thread that inspects files.
  svg: async (source) => (await import('../image/svg/svg.js')).inspectSvg(source),
};

/** The reader of each video format. */
export const videoInspectors: Readonly<Record<VideoFormatName, Inspector>> = {
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

export const inspectors: Readonly<Record<FormatName, Inspector>> = { ...imageInspectors, ...videoInspectors };
