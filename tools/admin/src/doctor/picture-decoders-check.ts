import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Check } from './check';
import { findVideoTools } from '../video-tools/find-video-tools';

const run = promisify(execFile);

/** Picture formats that ffmpeg decodes if it can, and WebAssembly otherwise. */
const PICTURES = [
  { decoder: 'hevc', format: 'HEIC' },
  { decoder: 'libjxl', format: 'JPEG XL' },
] as const;

/** Reports which decoder media-processor uses for each format that has two. */
export const pictureDecodersCheck: Check = {
  name: 'picture decoders',
  advice: "Install the system's ffmpeg.",
  async run(environment, report) {
    const [program, ...args] = (await findVideoTools(environment))?.ffmpeg ?? [];
    const env = { PATH: environment['PATH'] ?? '' };
    const list = program
      ? await run(program, [...args, '-hide_banner', '-v', 'error', '-decoders'], { env }).then(
          ({ stdout }) => stdout,
          () => '',
        )
      : '';
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
