import { oneOf } from './parsers';
import type { SettingOptions } from './setting';

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
