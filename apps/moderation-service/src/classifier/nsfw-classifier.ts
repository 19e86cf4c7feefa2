import { fork } from 'node:child_process';
import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BACKGROUND_NICENESS, lowerPriority } from '@vitrine/concurrency';
import type { ClassScores } from '@vitrine/domain';
import { inSpan } from '@vitrine/runtime';
import { Counter, Histogram, Registry } from 'prom-client';
import { Classifier } from './classifier';
import { ClassifierPool } from './classifier-pool';
import { ScoreMemory } from './score-memory';

/** More pictures than the consumer can have in progress, so that only a bug reaches this limit. */
const MAX_WAITING = 100;

/** Idle children are ended after this time: starting one takes about 0.3 s of processor time, and one holds 130 MB. */
const REST_MS = 45_000;

/** A picture takes about 10 ms. */
const PICTURE_MS = 30_000;

/** A child is ready after about a second; on a busy machine, at its low priority, a start was seen to take over 30 s. */
const START_MS = 180_000;

/** It takes about 130 MB and classifies about 100 pictures a second; a site that needs more runs more processes. */
const CLASSIFIERS = 1;
/** An entry takes about 300 bytes. */
const REMEMBERED = 10_000;

/** Classifies pictures with the model of nsfwjs, in child processes. */
@Injectable()
export class NsfwClassifier extends Classifier implements OnApplicationShutdown {
  private readonly logger = new Logger(NsfwClassifier.name);
  private readonly pool: ClassifierPool<Uint8Array, ClassScores>;
  private readonly memory = new ScoreMemory(REMEMBERED, (picture) => this.judge(picture));
  private readonly seconds: Histogram;

  constructor(registry: Registry) {
    super();
    const registers = [registry];
    this.seconds = new Histogram({
      name: 'vitrine_classifier_seconds',
      help: 'Seconds to classify one picture, including the wait for a child process.',
      buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
      registers,
    });
    const deaths = new Counter({
      name: 'vitrine_classifier_worker_deaths_total',
      help: 'Child processes that died or were killed because they took too long.',
      registers,
    });
    this.pool = new ClassifierPool({
      spawn: startChild,
      size: CLASSIFIERS,
      startTimeoutMs: START_MS,
      timeoutMs: PICTURE_MS,
      restMs: REST_MS,
      maxWaiting: MAX_WAITING,
      onDeath: (reason) => {
        deaths.inc();
        this.logger.warn(`A classifier died and will be replaced: ${reason}`);
      },
    });
  }

  async classify(pictures: readonly Uint8Array[]): Promise<readonly ClassScores[]> {
    const attributes = { 'vitrine.pictures': pictures.length };
    return inSpan('classify', { attributes }, () =>
      Promise.all(pictures.map((picture) => this.memory.scoresOf(picture))),
    );
  }

  ready(): boolean {
    return this.pool.ready();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async judge(picture: Uint8Array): Promise<ClassScores> {
    const end = this.seconds.startTimer();
    const scores = await this.pool.run(picture);
    end();
    return scores;
  }
}

/** A child that decodes and classifies. It gets no setting of this process, so it holds no credential. */
function startChild(): ReturnType<typeof fork> {
  const child = fork(join(__dirname, 'classifier-child.js'), [], {
    serialization: 'advanced',
    execArgv: ['--max-semi-space-size=2'],
    // Fixed thresholds keep the memory at 130 MB; glibc's own grow with the largest blocks.
    env: {
      MALLOC_ARENA_MAX: '2',
      MALLOC_TRIM_THRESHOLD_: '4194304',
      MALLOC_MMAP_THRESHOLD_: '33554432',
      UV_THREADPOOL_SIZE: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  if (child.pid !== undefined) lowerPriority(BACKGROUND_NICENESS, child.pid);
  return child;
}
