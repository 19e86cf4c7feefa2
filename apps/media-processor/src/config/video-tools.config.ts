import { parse, Setting } from '@vitrine/runtime';

/** Which ffmpeg processes videos, and where it is. */
export class VideoToolsConfig {
  @Setting({
    env: 'VIDEO_TOOLS',
    why: "Which ffmpeg processes videos: system is the one at FFMPEG_PATH or on the PATH, bundled is that of the npm package node-av, none refuses videos; auto is the system's if it has version 5 or later, or else the bundled one.",
    parse: parse.oneOf('auto', 'system', 'bundled', 'none'),
    default: 'auto',
    example: 'auto',
  })
  videoTools!: 'auto' | 'system' | 'bundled' | 'none';

  @Setting({
    env: 'FFMPEG_PATH',
    why: 'The ffmpeg of the system; unset: the one on the PATH.',
    parse: parse.text,
    default: '',
    example: '/usr/bin/ffmpeg',
  })
  ffmpeg!: string;

  @Setting({
    env: 'FFPROBE_PATH',
    why: 'The ffprobe of the system; unset: the one on the PATH.',
    parse: parse.text,
    default: '',
    example: '/usr/bin/ffprobe',
  })
  ffprobe!: string;
}
