import { failureReason } from '../failures';
import { runTool } from '../video/run-tool';
import type { MediaJob } from '../worker/protocol';

/** Names of the decoders of each ffmpeg, by its path; read once in the life of a worker. */
const known = new Map<string, Promise<ReadonlySet<string>>>();

/** Whether the machine's ffmpeg has the decoder of this name; false where there is no ffmpeg. */
export async function hasNativeDecoder(job: MediaJob, decoder: 'hevc' | 'libjxl'): Promise<boolean> {
  const { ffmpeg } = job.tools;
  if (!ffmpeg) return false;
  let decoders = known.get(ffmpeg);
  if (!decoders) {
    decoders = listDecoders(job, ffmpeg);
    known.set(ffmpeg, decoders);
    // The call may fail for lack of memory, and succeed later.
    decoders.catch(() => known.delete(ffmpeg));
  }
  return (await decoders).has(decoder);
}

async function listDecoders(job: MediaJob, ffmpeg: string): Promise<ReadonlySet<string>> {
  const args = ['-hide_banner', '-v', 'error', '-decoders'];
  const list = await runTool(job, { program: ffmpeg, args, reason: failureReason.unsupported });
  return new Set(list.split('\n').flatMap((line) => /^ [A-Z.]{6} (\S+)/.exec(line)?.[1] ?? []));
}
