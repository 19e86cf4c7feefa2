import type { ImageFormatName, Inspector } from '../media-format';
import { inspectBmp } from './bmp';
import { inspectGif } from './gif';
import { inspectHeif } from './heif/heif';
import { inspectJpeg } from './jpeg';
import { inspectJxl } from './jxl/jxl';
import { inspectPng } from './png';
import { inspectSvg } from './svg/svg';
import { inspectTiff } from './tiff/tiff';
import { inspectWebp } from './webp';

/** The reader of each picture format. */
export const imageInspectors: Record<ImageFormatName, Inspector> = {
  jpeg: inspectJpeg,
  png: inspectPng,
  gif: inspectGif,
  webp: inspectWebp,
  avif: inspectHeif,
  heic: inspectHeif,
  jxl: inspectJxl,
  tiff: inspectTiff,
  bmp: inspectBmp,
  svg: inspectSvg,
};
