import { availableParallelism } from 'node:os';
import { atMost, Consistent, parse, Setting, VARIANT_RETENTION_DAYS_SETTING } from '@vitrine/runtime';

const RECYCLE_MB = 300;
const VIDEO_BASE_SECONDS = 180;

/** The resources that one media-processor may use. */
@Consistent<MediaProcessorConfig>({
  field: 'recycleMb',
  must: 'be no more than MEDIA_MEMORY_LIMIT_MB',
  beside: 'MEDIA_MEMORY_LIMIT_MB',
  holds: (config) => config.recycleMb <= config.memoryLimitMb,
})
@Consistent<MediaProcessorConfig>({
  field: 'videoTimeLimitBaseSeconds',
  must: 'be no more than VIDEO_TIME_LIMIT_MAX_SECONDS',
  beside: 'VIDEO_TIME_LIMIT_MAX_SECONDS',
  holds: (config) => config.videoTimeLimitBaseSeconds <= config.videoTimeLimitMaxSeconds,
})
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
    env: 'MEDIA_WORKER_RECYCLE_MB',
    why: 'Mebibytes of resident memory above which an idle child process is replaced; unset: 300, or MEDIA_MEMORY_LIMIT_MB if that is less.',
    parse: parse.integer(128, 1024),
    default: atMost('MEDIA_MEMORY_LIMIT_MB', RECYCLE_MB),
    example: '300',
  })
  recycleMb!: number;

  @Setting({
    env: 'IMAGE_TIME_LIMIT_SECONDS',
    why: 'Seconds that the largest image or animation may take; smaller ones get less, in proportion to their pixels.',
    parse: parse.integer(1, 1500),
    default: 180,
    example: '180',
  })
  imageTimeLimitSeconds!: number;

  @Setting({
    env: 'SVG_TIME_LIMIT_SECONDS',
    why: 'Seconds that an SVG may take; even a small SVG can take very long to draw.',
    parse: parse.integer(1, 1500),
    default: 10,
    example: '10',
  })
  svgTimeLimitSeconds!: number;

  @Setting({
    env: 'VIDEO_TIME_LIMIT_BASE_SECONDS',
    why: 'Seconds that any video may take, in addition to those for its length; unset: 180, or VIDEO_TIME_LIMIT_MAX_SECONDS if that is less.',
    parse: parse.integer(1, 1500),
    default: atMost('VIDEO_TIME_LIMIT_MAX_SECONDS', VIDEO_BASE_SECONDS),
    example: '180',
  })
  videoTimeLimitBaseSeconds!: number;

  @Setting({
    env: 'VIDEO_TIME_LIMIT_FACTOR',
    why: 'Seconds of processing that each second of a video adds to the base.',
    parse: parse.integer(0, 1000),
    default: 30,
    example: '30',
  })
  videoTimeLimitFactor!: number;

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

  /** Files processed at the same time: at least two, so that one place is free of long work. */
  get workers(): number {
    return Math.max(2, this.concurrency);
  }
}
