import { execFileSync } from 'node:child_process';
import { findFfmpeg, findFfprobe } from '@vitrine/testing';

const FIELDS = [
  ...['index', 'codec_type', 'codec_name', 'profile', 'width', 'height', 'pix_fmt', 'sample_aspect_ratio'],
  ...['color_range', 'color_space', 'color_transfer', 'color_primaries', 'avg_frame_rate', 'start_time'],
  ...['duration', 'channels', 'sample_rate'],
];

/** ffprobe's description of the streams of a file, with the number of frames of the pictures as `nb_read_frames`. */
export function probeStreams(path: string): Record<string, unknown>[] {
  const args = ['-v', 'error', '-show_entries', `stream=${FIELDS.join(',')}`, '-of', 'json', '-i', path];
  const { streams } = JSON.parse(execFileSync(findFfprobe(), args, { encoding: 'utf8' })) as {
    streams: Record<string, unknown>[];
  };
  return streams.map((stream) =>
    stream['codec_type'] === 'video'
      ? { ...stream, nb_read_frames: String(countFrames(path, Number(stream['index']))) }
      : stream,
  );
}

/** The number of frames that a decoder gives. */
function countFrames(path: string, stream: number): number {
  const input = ['-nostdin', '-v', 'error', '-vsync', 'passthrough', '-i', path, '-map', `0:${stream}`];
  const hashes = execFileSync(findFfmpeg(), [...input, '-f', 'framemd5', '-'], { encoding: 'utf8' });
  return hashes.split('\n').filter((line) => /^\d/.test(line)).length;
}
