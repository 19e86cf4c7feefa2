import { parse, Setting } from '@vitrine/runtime';

/** How much of the machine the classifier may take; the bands of its decisions are rules, not settings. */
export class ModerationConfig {
  @Setting({
    env: 'CLASSIFIER_WORKERS',
    why: 'Classifier threads in one process; each takes about 120 MB and judges some 25 pictures a second.',
    parse: parse.integer(1, 64),
    default: 1,
    example: '1',
  })
  classifierWorkers!: number;

  @Setting({
    env: 'CLASSIFIER_TIMEOUT_MS',
    why: 'Milliseconds after which a thread that is stuck on one picture, or on loading the model, is replaced.',
    parse: parse.integer(100, 600_000),
    default: 30_000,
    example: '30000',
  })
  classifierTimeoutMs!: number;
}
