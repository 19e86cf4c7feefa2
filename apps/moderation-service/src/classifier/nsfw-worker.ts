import { parentPort } from 'node:worker_threads';
import { NsfwModel } from './nsfw-model';
import type { WorkerAnswer } from './classifier-pool';

/**
 * Runs in a separate thread, because inference blocks its thread. Takes pixels, answers with scores, one picture at
 * a time.
 */
async function serve(): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('This file runs as a worker thread');
  const model = await NsfwModel.load();
  port.on('message', (pixels: Uint8Array) => {
    try {
      port.postMessage({ result: model.classify(pixels) } satisfies WorkerAnswer<unknown>);
    } catch (error) {
      port.postMessage({ error: String(error) } satisfies WorkerAnswer<unknown>);
    }
  });
  port.postMessage('ready' satisfies WorkerAnswer<unknown>);
}

void serve();
