import { DEFAULT_UPLOADS_PER_DAY } from '@vitrine/contracts';
import {
  apartFromManagement,
  atMost,
  Consistent,
  MAX_FILE_BYTES_SETTING,
  parse,
  Setting,
  VIDEO_TOOLS_SETTING,
  type VideoToolsKind,
} from '@vitrine/runtime';

const IDLE_SECONDS = 20;

/** Configuration of the upload and file host. Sizes are in bytes, times in seconds. */
@Consistent<UploadConfig>(apartFromManagement)
@Consistent<UploadConfig>({
  field: 'idleSeconds',
  must: 'be no more than UPLOAD_TOTAL_SECONDS',
  beside: 'UPLOAD_TOTAL_SECONDS',
  holds: (config) => config.idleSeconds <= config.totalSeconds,
})
@Consistent<UploadConfig>({
  field: 'orphanAgeSeconds',
  must: 'be more than UPLOAD_IDLE_SECONDS, or files are removed while they arrive',
  beside: 'UPLOAD_IDLE_SECONDS',
  holds: (config) => config.orphanAgeSeconds > config.idleSeconds,
})
export class UploadConfig {
  @Setting({
    env: 'UPLOAD_PORT',
    why: 'Port of the upload endpoint and the file host.',
    parse: parse.port,
    default: 3001,
    example: '3001',
  })
  port!: number;

  @Setting(MAX_FILE_BYTES_SETTING)
  maxFileBytes!: number;

  @Setting(VIDEO_TOOLS_SETTING)
  videoTools!: VideoToolsKind;

  @Setting({
    env: 'UPLOADS_PER_DAY',
    why: 'Files that one account, or one address of guests, may upload per UTC day.',
    parse: parse.integer(0, 1_000_000_000),
    default: DEFAULT_UPLOADS_PER_DAY,
    example: '1000',
  })
  uploadsPerDay!: number;

  @Setting({
    env: 'MAX_CONCURRENT_UPLOADS',
    why: 'Simultaneous uploads in one process, of which one account or address of guests may have half; further ones get 503 with Retry-After.',
    parse: parse.integer(1, 10_000),
    default: 200,
    example: '200',
  })
  maxConcurrentUploads!: number;

  /** Simultaneous uploads of one account or address of guests, which are also never more than are left for others. */
  get maxConcurrentUploadsPerCaller(): number {
    return Math.ceil(this.maxConcurrentUploads / 2);
  }

  @Setting({
    env: 'INSPECTION_TIMEOUT_MS',
    why: 'Milliseconds of processor time that the inspection of one file (type, size, metadata) may take. The slowest file of 100 MiB takes a second on one slow core.',
    parse: parse.integer(10, 600_000),
    default: 8000,
    example: '8000',
  })
  inspectionTimeoutMs!: number;

  @Setting({
    env: 'MAX_CONCURRENT_FILES',
    why: 'Files that one process serves at the same time, of which one address may have a quarter (put a CDN into TRUSTED_PROXIES); further requests get 503 with Retry-After.',
    parse: parse.integer(1, 100_000),
    default: 1000,
    example: '1000',
  })
  maxConcurrentFiles!: number;

  /** Files that are served to one address (IPv6: one /64), which are also never more than are left for others. */
  get maxConcurrentFilesPerAddress(): number {
    return Math.ceil(this.maxConcurrentFiles / 4);
  }

  /**
   * Bytes per second that a reader of a file must accept while more than half of MAX_CONCURRENT_FILES are in use: about the
   * rate of the slowest mobile networks.
   */
  readonly fileMinBytesPerSecond: number = 2048;

  /** Seconds after which the connection of a reader that accepts nothing is closed; a paused player sends a range request. */
  readonly fileIdleSeconds: number = 300;

  @Setting({
    env: 'FILE_HOLD_SECONDS',
    why: 'Seconds that a request for a size that is being generated waits for it; at most 16 for each address and a quarter of MAX_CONCURRENT_FILES. 0: it gets 503 with Retry-After immediately.',
    parse: parse.integer(0, 60),
    default: 10,
    example: '10',
  })
  fileHoldSeconds!: number;

  /** Memory of one process for files of up to 1 MiB that are read often, in MiB: some hundred popular pictures. */
  readonly fileMemoryMebibytes: number = 64;

  @Setting({
    env: 'FILE_SHARED_MAX_AGE_SECONDS',
    why: 'Seconds that shared caches (a CDN, a proxy) may keep a file before they ask whether it has changed. Caches that Vitrine cannot purge serve a withdrawn file for at most this time. 0: they ask each time.',
    parse: parse.integer(0, 31_536_000),
    default: 3600,
    example: '3600',
  })
  fileSharedMaxAgeSeconds!: number;

  @Setting({
    env: 'FILE_SENDING',
    why: 'Who sends the bytes of files: this process (direct), or nginx in front of it, which follows X-Accel-Redirect (x-accel, see docs/storage.md).',
    parse: parse.oneOf('direct', 'x-accel'),
    default: 'direct',
    example: 'direct',
  })
  fileSending!: 'direct' | 'x-accel';

  @Setting({
    env: 'UPLOAD_IDLE_SECONDS',
    why: 'Seconds that an upload may send nothing. Unset: 20, or UPLOAD_TOTAL_SECONDS if that is less.',
    parse: parse.integer(1, 3600),
    default: atMost('UPLOAD_TOTAL_SECONDS', IDLE_SECONDS),
    example: '20',
  })
  idleSeconds!: number;

  @Setting({
    env: 'UPLOAD_TOTAL_SECONDS',
    why: 'Seconds that a whole upload may take.',
    parse: parse.integer(1, 86_400),
    default: 1800,
    example: '1800',
  })
  totalSeconds!: number;

  /** Average bytes per second that an upload must reach after UPLOAD_IDLE_SECONDS: about the rate of the slowest mobile networks. */
  readonly minBytesPerSecond: number = 2048;

  @Setting({
    env: 'STORAGE_RESERVE_BYTES',
    why: 'Bytes that uploads leave free on the disk of the scratch files, which is that of the files if they are stored in a folder. The variants of accepted files need them too.',
    parse: parse.bytes,
    default: 1024 ** 3,
    example: '1GB',
  })
  storageReserveBytes!: number;

  @Setting({
    env: 'SWEEP_INTERVAL_SECONDS',
    why: 'Seconds between two searches for media that wait too long.',
    parse: parse.integer(1, 86_400),
    default: 15,
    example: '15',
  })
  sweepIntervalSeconds!: number;

  @Setting({
    env: 'REANNOUNCE_AFTER_SECONDS',
    why: 'Seconds after which a waiting media item is requested again; the interval doubles each time, up to an hour.',
    parse: parse.integer(1, 86_400),
    default: 120,
    example: '120',
  })
  reannounceAfterSeconds!: number;

  @Setting({
    env: 'ORPHAN_AGE_SECONDS',
    why: 'Seconds after which the files of an upload that did not end are removed: scratch files, and objects after twice this time.',
    parse: parse.integer(1, 30 * 86_400),
    default: 3600,
    example: '3600',
  })
  orphanAgeSeconds!: number;

  @Setting({
    env: 'CLEANUP_INTERVAL_SECONDS',
    why: 'Seconds between two searches for files of uploads that did not end, and for other files to remove.',
    parse: parse.integer(1, 30 * 86_400),
    default: 3600,
    example: '3600',
  })
  cleanupIntervalSeconds!: number;
}
