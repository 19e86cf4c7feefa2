import type { JobResult, MediaJob } from '../worker/protocol';
export class VideoProcessor {
  async process(_job: MediaJob, _p: (n: number) => void): Promise<JobResult> {
    throw new Error('x');
  }
}
