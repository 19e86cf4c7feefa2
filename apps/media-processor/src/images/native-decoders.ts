import { failureReason } from '../failures/failures';
import type { MediaJob, ToolCommand } from '../jobs/protocol';
import { runTool } from '../tools/run-tool';

/** Names of the decoders of each ffmpeg, by its command; read once in the life of a worker. */
const known = new Map<string, Promise<ReadonlySet<string>>>();

/** Whether the machine's ffmpeg has the decoder of this name; false if there is no ffmpeg. */
export async function hasNativeDecoder(job: MediaJob, decoder: 'hevc' | 'libjxl'): Promise<boolean> {
  const { ffmpeg } = job.tools;
  if (!ffmpeg) return false;
  const command = ffmpeg.join(' ');
  let decoders = known.get(command);
  if (!decoders) {
    decoders = listDecoders(job, ffmpeg);
    known.set(command, decoders);
    // The call may have failed for lack of memory, and may succeed later.
    decoders.catch(() => known.delete(command));
  }
  return (await decoders).has(decoder);
}

async function listDecoders(job: MediaJob, ffmpeg: ToolCommand): Promise<ReadonlySet<string>> {
  const args = ['-hide_banner', '-v', 'error', '-decoders'];
  const list = await runTool(job, { program: ffmpeg, args, reason: failureReason.unsupported });
  return new Set(list.split('\n').flatMap((line) => /^ [A-Z.]{6} (\S+)/.exec(line)?.[1] ?? []));
}
