import { availableParallelism } from 'node:os';
import {
  ALTERNATIVES_SECONDS_SETTING,
  parse,
  Setting,
  VARIANT_RETENTION_DAYS_SETTING,
} from '@vitrine/runtime';

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
    env: 'MEDIA_ISOLATION',
    why: 'How decoders are isolated: auto uses the best isolation that the system offers, and logs a line if that is not a sandbox; required refuses to start without a sandbox.',
    parse: parse.oneOf('auto', 'required'),
    default: 'auto',
    example: 'required',
  })
  isolation!: 'auto' | 'required';

  @Setting(VARIANT_RETENTION_DAYS_SETTING)
  variantRetentionDays!: number;

  @Setting(ALTERNATIVES_SECONDS_SETTING)
  alternativesSecondsPerHour!: number;

  /** Mebibytes of resident memory above which an idle child process is replaced. */
  get recycleMb(): number {
    return Math.min(RECYCLE_MB, this.memoryLimitMb);
  }

  /** Files processed at the same time: at least two, so that one place is free of long work. */
  get workers(): number {
    return Math.max(2, this.concurrency);
  }
}
