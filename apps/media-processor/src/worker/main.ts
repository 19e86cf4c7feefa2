import { isUsvgBroken } from '@vitrine/formats';
import { failureReason, isMachineFault, UnprocessableFileError } from '../failures/failures';
import { ImageProcessor } from '../images/image-processor';
import { makeAlternatives } from '../images/still-alternatives';
import { remakeStill } from '../images/still-remake';
import type { JobResult, MediaJob, WorkerReply, WorkerRequest } from '../jobs/protocol';
import { restrictLoaders } from '../pixels/open-image';
import { VideoProcessor } from '../video/video-processor';
import { endWithParent } from './end-with-parent';

const PROGRESS_EVERY_MS = 3000;

const say = (reply: WorkerReply): void => void process.send?.(reply);

const images = new ImageProcessor();
const videos = new VideoProcessor();

function work(job: MediaJob, onProgress: (percent: number) => void): Promise<JobResult> {
  const { task, media } = job;
  switch (task.makes) {
    case 'variant':
      return remakeStill(job, task.variant);
    case 'alternatives':
      return makeAlternatives(job, task.sizes);
    case 'everything':
      return media.kind === 'video' ? videos.process(job, onProgress) : images.process(job);
  }
}

async function answer({ id, job }: WorkerRequest): Promise<WorkerReply> {
  let reportedAt = performance.now();
  try {
    const result = await work(job, (percent) => {
      if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return;
      reportedAt = performance.now();
      say({ type: 'progress', id, percent });
    });
    return { type: 'done', id, result };
  } catch (error) {
    if (error instanceof UnprocessableFileError) {
      return { type: 'refused', id, reason: error.message, detail: error.detail };
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (isMachineFault(error)) return { type: 'failed', id, error: detail };
    return { type: 'refused', id, reason: failureReason.crash, detail };
  }
}

restrictLoaders();
process.on('message', (request: WorkerRequest) => {
  void answer(request).then((reply) => {
    say(reply);
    if (isUsvgBroken()) process.disconnect();
  });
});
endWithParent();
say({ type: 'ready' });
