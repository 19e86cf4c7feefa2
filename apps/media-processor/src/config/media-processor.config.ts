import { availableParallelism } from 'node:os';
import { parse, Setting, VARIANT_RETENTION_DAYS_SETTING } from '@vitrine/runtime';

const RECYCLE_MB = 300;

/** The resources that one media-processor may use. */
export class MediaProcessorConfig {
  @Setting({
    env: 'MEDIA_CONCURRENCY',
    why: 'Files processed at the same time, each by its own child process; unset: one per core. At least two, because one is kept free of long work.',
    parse: parse.integer(1, 64),
    default: () => availableParallelism(),
    example: '2',
  })
  concurrency!: number;

  @Setting({
    env: 'MEDIA_MEMORY_LIMIT_MB',
    why: 'Mebibytes of resident memory that the decoding of one file may use, including its tools; a file that needs more is refused.',
    parse: parse.integer(256, 16_384),
    default: 2048,
    example: '2048',
  })
  memoryLimitMb!: number;

  @Setting({
    env: 'SVG_TIME_LIMIT_SECONDS',
    why: 'Seconds that an SVG may take; even a small SVG can take very long to draw.',
    parse: parse.integer(1, 1500),
    default: 10,
    example: '10',
  })
  svgTimeLimitSeconds!: number;

  @Setting({
    env: 'VIDEO_TIME_LIMIT_MAX_SECONDS',
    why: 'Seconds that the longest video may take; must be less than the 30 minutes after which RabbitMQ delivers a message again.',
    parse: parse.integer(1, 1740),
    default: 1500,
    example: '1500',
  })
  videoTimeLimitMaxSeconds!: number;

  @Setting({
    env: 'MEDIA_ISOLATION',
    why: 'How decoders are isolated: auto uses the best isolation that the system offers, and logs a line if that is not a sandbox; required refuses to start without a sandbox.',
    parse: parse.oneOf('auto', 'required'),
    default: 'auto',
    example: 'required',
  })
  isolation!: 'auto' | 'required';

  @Setting({
    env: 'FRAME_CHOICE_SECRET',
    why: 'Secret that decides which frames of a video the classifier judges; unset: each process generates one at each start.',
    parse: parse.secret,
    default: '',
    example: 'a-long-random-text-of-32-characters-or-more',
  })
  frameChoiceSecret!: string;

  @Setting(VARIANT_RETENTION_DAYS_SETTING)
  variantRetentionDays!: number;

  /** Mebibytes of resident memory above which an idle child process is replaced. */
  get recycleMb(): number {
    return Math.min(RECYCLE_MB, this.memoryLimitMb);
  }

  /** Files processed at the same time: at least two, so that one place is free of long work. */
  get workers(): number {
    return Math.max(2, this.concurrency);
  }
}
