import { parse, Setting } from '@vitrine/runtime';

/** The classifier's resources. The thresholds of its decisions are rules (`moderation.rules.ts`), not settings. */
export class ModerationConfig {
  @Setting({
    env: 'CLASSIFIER_WORKERS',
    why: 'Largest number of classifiers, each a child process that takes about 130 MB and classifies about 100 pictures a second. They are started when they are needed.',
    parse: parse.integer(1, 64),
    default: 1,
    example: '1',
  })
  classifierWorkers!: number;
}
