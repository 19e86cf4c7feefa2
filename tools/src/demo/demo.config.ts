import { parse, Setting } from '@vitrine/runtime';

/** The settings for making the demo. */
export class DemoConfig {
  @Setting({
    env: 'FFMPEG_PATH',
    why: 'The ffmpeg that makes the clips; unset: the one on the PATH. Without ffmpeg, clips become animations.',
    parse: parse.text,
    default: '',
    example: '/usr/bin/ffmpeg',
  })
  ffmpegPath!: string;
}
