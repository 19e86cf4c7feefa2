import { integer, oneOf } from './parsers';
import type { SettingOptions } from './setting';

/** The setting of the largest file: the upload host enforces it, and the website shows it before an upload. */
export const MAX_FILE_BYTES_SETTING: SettingOptions<number> = {
  env: 'MAX_FILE_BYTES',
  why: 'Largest file that is accepted, in bytes; upload-service and website must have the same value.',
  parse: integer(1, 10 * 1024 ** 3),
  default: 104_857_600,
  example: '104857600',
};

/**
 * The setting of the days after which unused variants are removed: upload-service removes them, and media-processor keeps
 * workers ready to make them again.
 */
export const VARIANT_RETENTION_DAYS_SETTING: SettingOptions<number> = {
  env: 'VARIANT_RETENTION_DAYS',
  why: 'Days without a request after which a size of a still picture is removed; the next request makes it again, within about 0.3 s. upload-service and media-processor must have the same value. More than what shared caches keep files for, because they hide requests. 0: sizes are kept.',
  parse: integer(0, 3650),
  default: 0,
  example: '90',
};

const KINDS = ['auto', 'system', 'bundled', 'none'] as const;
export type VideoToolsKind = (typeof KINDS)[number];

/** The setting of what processes videos: media-processor uses it, and upload-service refuses videos if there is none. */
export const VIDEO_TOOLS_SETTING: SettingOptions<VideoToolsKind> = {
  env: 'VIDEO_TOOLS',
  why: "Which ffmpeg processes videos: system is the one at FFMPEG_PATH or on the PATH, bundled is that of the npm package node-av, none refuses videos; auto is the system's if it has version 5 or later, or else the bundled one. upload-service refuses videos only if it is none.",
  parse: oneOf(...KINDS),
  default: 'auto',
  example: 'auto',
};

/** How long each media-processor works on alternatives, and whether upload-service requests them. */
export const ALTERNATIVES_SECONDS_SETTING: SettingOptions<number> = {
  env: 'ALTERNATIVES_SECONDS_PER_HOUR',
  why: 'Seconds per hour that each media-processor may work, while it has nothing else to do, on sizes of photographs in WebP and AVIF, for browsers that take them. A photograph takes a second or two. Set the same value for upload-service and media-processor. 0: none are made; those that exist are served.',
  parse: integer(0, 3600),
  default: 900,
  example: '900',
};
