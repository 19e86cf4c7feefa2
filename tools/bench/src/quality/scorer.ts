import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ScoreAnswer, ScoreRequest } from './score.worker';

/** A picture without losses, with which others of the same dimensions are compared. */
export interface Reference {
  /** 3 bytes for each pixel. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

interface Waiting {
  readonly resolve: (score: number) => void;
  readonly reject: (error: Error) => void;
}

/** Scores pictures in one thread for each processor. */
export class Scorer {
  private readonly waiting = new Map<number, Waiting>();
  private readonly threads: readonly Worker[];
  private asked = 0;

  constructor(count = availableParallelism()) {
    this.threads = Array.from({ length: count }, () => this.startThread());
  }

  /** The SSIMULACRA2 score of an encoded picture. Throws if its dimensions differ from the reference's. */
  async score({ data, width, height }: Reference, file: Uint8Array): Promise<number> {
    const id = this.asked++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const request: ScoreRequest = { id, reference: data, width, height, file };
      this.threads[id % this.threads.length]?.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
  }

  private startThread(): Worker {
    // The package writes a line for each buffer; with `stdout` they go to a stream that nobody reads.
    const thread = new Worker(join(__dirname, 'score.worker.js'), { stdout: true });
    thread.stdout.resume();
    thread.on('message', (answer: ScoreAnswer) => {
      const waiting = this.waiting.get(answer.id);
      this.waiting.delete(answer.id);
      if ('score' in answer) waiting?.resolve(answer.score);
      else waiting?.reject(new Error(answer.error));
    });
    thread.on('error', (error) => {
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
    return thread;
  }
}
