import { parse, Setting, VIDEO_TOOLS_SETTING, type VideoToolsKind } from '@vitrine/runtime';

/** Which ffmpeg processes videos, and where it is. */
export class VideoToolsConfig {
  @Setting(VIDEO_TOOLS_SETTING)
  videoTools!: VideoToolsKind;

  @Setting({
    env: 'FFMPEG_PATH',
    why: 'The ffmpeg of the system, with its ffprobe in the same folder; unset: those on the PATH.',
    parse: parse.text,
    default: '',
    example: '/usr/bin/ffmpeg',
  })
  ffmpeg!: string;
}
