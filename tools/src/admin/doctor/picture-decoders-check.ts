import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { loadConfig } from '@vitrine/runtime';
import type { Check } from './check';
import { MediaToolsConfig } from './doctor.config';

const run = promisify(execFile);

/** Picture formats that ffmpeg decodes if it can, and WebAssembly otherwise. */
const PICTURES = [
  { decoder: 'hevc', format: 'HEIC' },
  { decoder: 'libjxl', format: 'JPEG XL' },
] as const;

/** Reports which decoder media-processor uses for each format that has two. */
export const pictureDecodersCheck: Check = {
  name: 'picture decoders',
  advice: "Install the system's ffmpeg, or set FFMPEG_PATH.",
  async run(environment, report) {
    const { ffmpeg } = loadConfig(MediaToolsConfig, environment);
    const env = { PATH: environment['PATH'] ?? '' };
    const list = await run(ffmpeg || 'ffmpeg', ['-hide_banner', '-decoders'], { env }).then(
      ({ stdout }) => stdout,
      () => '',
    );
    for (const { decoder, format } of PICTURES) {
      if (new RegExp(`^ \\S+ +${decoder} `, 'm').test(list)) report.ok(`${format} is decoded by ffmpeg`);
      else
        report.warn(
          `${format} is decoded in WebAssembly, which takes five to ten times as long`,
          `Install an ffmpeg with the decoder ${decoder}.`,
        );
    }
  },
};
