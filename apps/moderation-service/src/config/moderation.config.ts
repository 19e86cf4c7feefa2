import { parse, Setting } from '@vitrine/runtime';

/** The classifier's resources. The thresholds of its decisions are rules (`moderation.rules.ts`), not settings. */
export class ModerationConfig {
  @Setting({
    env: 'CLASSIFIER_WORKERS',
    why: 'Classifier threads in one process. Each takes about 120 MB and classifies about 25 pictures a second.',
    parse: parse.integer(1, 64),
    default: 1,
    example: '1',
  })
  classifierWorkers!: number;

  @Setting({
    env: 'CLASSIFIER_TIMEOUT_MS',
    why: 'Milliseconds after which a thread is replaced if it has not finished a picture, or loading the model.',
    parse: parse.integer(100, 600_000),
    default: 30_000,
    example: '30000',
  })
  classifierTimeoutMs!: number;
}
