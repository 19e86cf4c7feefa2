import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ClassScores } from '@vitrine/domain';
import { inSpan } from '@vitrine/runtime';
import { Counter, Histogram, Registry } from 'prom-client';
import { ModerationConfig } from '../config/moderation.config';
import { Classifier } from './classifier';
import { decodeForModel } from './picture-pixels';
import { ClassifierPool } from './classifier-pool';

/** More pictures than the consumer can have in progress, so that only a bug reaches this limit. */
const MAX_WAITING = 100;

/** Classifies pictures with the model of nsfwjs, in worker threads. */
@Injectable()
export class NsfwClassifier extends Classifier implements OnApplicationShutdown {
  private readonly logger = new Logger(NsfwClassifier.name);
  private readonly pool: ClassifierPool<Uint8Array, ClassScores>;
  private readonly seconds: Histogram;

  constructor(@Inject(ModerationConfig) config: ModerationConfig, registry: Registry) {
    super();
    const registers = [registry];
    this.seconds = new Histogram({
      name: 'vitrine_classifier_seconds',
      help: 'Seconds to classify one picture, including the wait for a worker.',
      buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    const deaths = new Counter({
      name: 'vitrine_classifier_worker_deaths_total',
      help: 'Worker threads that died or were terminated because they took too long.',
      registers,
    });
    this.pool = new ClassifierPool({
      spawn: () => new Worker(join(__dirname, 'nsfw-worker.js')),
      size: config.classifierWorkers,
      timeoutMs: config.classifierTimeoutMs,
      maxWaiting: MAX_WAITING,
      onDeath: (reason) => {
        deaths.inc();
        this.logger.warn(`A classifier worker died and will be replaced: ${reason}`);
      },
    });
  }

  async classify(pictures: readonly Uint8Array[]): Promise<readonly ClassScores[]> {
    const attributes = { 'vitrine.pictures': pictures.length };
    return inSpan('classify', { attributes }, () =>
      Promise.all(pictures.map((picture) => this.classifyOne(picture))),
    );
  }

  ready(): boolean {
    return this.pool.ready();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async classifyOne(picture: Uint8Array): Promise<ClassScores> {
    const end = this.seconds.startTimer();
    const scores = await this.pool.run(await decodeForModel(picture));
    end();
    return scores;
  }
}
