import { join } from 'node:path';
import { failureReason, isUnsupported, UnprocessableFileError } from '../failures/failures';
import type { MediaJob } from '../jobs/protocol';
import { ANONYMOUS_OUTPUT, FFMPEG_PREAMBLE, hardenedInput, outTime } from '../tools/ffmpeg-arguments';
import { runTool } from '../tools/run-tool';
import type { VideoFacts } from './probe';

/** All browsers play AAC up to this number of samples a second. */
const MAX_SAMPLE_RATE = 48_000;

/**
 * Encodes the sound of all renditions once, as AAC in an MP4 in the job's folder that begins where the file begins,
 * and returns its path. Null if the video is silent, or its sound can't be decoded: the picture is processed anyway.
 * Throws if memory or time run out, or the machine is at fault.
 */
export async function makeSound(job: MediaJob, facts: VideoFacts): Promise<string | null> {
  const { audio } = facts;
  if (!audio) return null;
  const path = join(job.folder, 'sound.m4a');
  let seconds = 0;
  try {
    await runTool(job, {
      program: job.tools.ffmpeg,
      args: [
        ...[...FFMPEG_PREAMBLE, '-progress', 'pipe:1', '-nostats', ...hardenedInput(job.source)],
        ...['-map', `0:${audio.stream}`, ...codecArguments(facts, audio), ...ANONYMOUS_OUTPUT],
        ...['-f', 'mp4', `file:${path}`],
      ],
      reason: failureReason.sound,
      onLine: (line) => {
        seconds = outTime(line) ?? seconds;
      },
    });
  } catch (error) {
    const isUndecodable =
      error instanceof UnprocessableFileError &&
      (error.message === failureReason.sound || isUnsupported(error.message));
    if (!isUndecodable) throw error;
    return null;
  }
  return seconds > 0 ? path : null;
}

function codecArguments(
  { isPlain }: VideoFacts,
  { codec, channels, sampleRate }: NonNullable<VideoFacts['audio']>,
): string[] {
  if (isPlain && codec === 'aac' && channels <= 2) return ['-c:a', 'copy'];
  return [
    // Adds silence before sound that starts late, and in its gaps. Without it, players would start the sound early.
    ...['-af', 'aresample=async=1:first_pts=0', '-c:a', 'aac', '-b:a', '128k'],
    ...['-ac', String(Math.min(2, channels))],
    ...(sampleRate > MAX_SAMPLE_RATE ? ['-ar', String(MAX_SAMPLE_RATE)] : []),
  ];
}
