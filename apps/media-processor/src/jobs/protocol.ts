import {
  type AlternativeSource,
  FILE_NAMES,
  type MediaProcessingRequested,
  type LoopVariant,
  type StepVariant,
  type MediaVariantRequested,
  MAX_MODERATION_FRAMES,
  type PerceptualHash,
  type StillVariant,
  type VariantRecord,
} from '@vitrine/contracts';
import { failureReason, isFailureReason } from '../failures/failures';

/** The path of a program, and its first arguments. */
export type ToolCommand = readonly [program: string, ...args: string[]];

/** The programs that a worker may start, by absolute paths; null if the machine lacks one. */
export interface Tools {
  readonly ffmpeg: ToolCommand | null;
  readonly ffprobe: ToolCommand | null;
  readonly prlimit: string | null;
}

/** A variant of a still picture that was removed: its key, format and pixels. */
export type RemadeVariant = MediaVariantRequested['variant'];

/** What a worker makes of a file. */
export type JobTask =
  /** All its variants, and the evidence for moderation. */
  | { readonly makes: 'everything' }
  /** One variant of a still picture. */
  | { readonly makes: 'variant'; readonly variant: RemadeVariant }
  /** These sizes of a still picture in other formats. */
  | { readonly makes: 'alternatives'; readonly sizes: readonly AlternativeSource[] };

/** One file from which variants are made. */
export interface MediaJob {
  readonly task: JobTask;
  readonly media: Pick<
    MediaProcessingRequested,
    'slug' | 'kind' | 'format' | 'mime' | 'ext' | 'key' | 'bytes' | 'frames' | 'duration'
  >;
  /** The path of the original, which must not be written to. */
  readonly source: string;
  /** The path of an empty folder of this job for its results. */
  readonly folder: string;
  readonly tools: Tools;
  /** Decides which frames the classifier judges. Secret, and the same each time for the same file. */
  readonly seed: string;
  readonly limits: {
    /** Bytes of private memory that a program started by the worker may map. The parent limits resident memory. */
    readonly toolMemory: number;
    /** Seconds of processor time that it may take. */
    readonly toolSeconds: number;
  };
}

/** A file in the job's folder, and the object key for it. */
export interface MadeFile {
  readonly file: string;
  readonly key: string;
}

export interface JobResult {
  readonly files: readonly MadeFile[];
  readonly variants: readonly VariantRecord[];
  /** The first frame of an animation. */
  readonly still?: StillVariant;
  /** An opaque animation as MP4, if that saves bytes. */
  readonly loop?: LoopVariant;
  /** A still picture between `md` and `lg`, if the source is larger. */
  readonly step?: StepVariant;
  readonly frames: readonly string[];
  readonly hashes: readonly PerceptualHash[];
  /** Whether the hashes cover every picture in the file. */
  readonly fully_seen: boolean;
  readonly thumbhash: string;
  readonly width: number;
  readonly height: number;
  readonly duration: number | null;
}

/** The facts of a result that holds files only. */
export const NOTHING_MADE = {
  ...{ variants: [], frames: [], hashes: [] },
  ...{ fully_seen: false, thumbhash: '', duration: null },
} as const satisfies Partial<JobResult>;

/** Parent to worker, as JSON over the fork's channel; one at a time. */
export interface WorkerRequest {
  readonly id: number;
  readonly job: MediaJob;
}

/**
 * Worker to parent: `ready` once it can take a job; then for each job any number of `progress`, and one final reply.
 */
export type WorkerReply =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly id: number; readonly percent: number }
  | { readonly type: 'done'; readonly id: number; readonly result: JobResult }
  /** The file is at fault: `reason` is for its uploader, `detail` for the log. */
  | { readonly type: 'refused'; readonly id: number; readonly reason: string; readonly detail?: string }
  /** Something else is at fault, so another attempt may succeed. */
  | { readonly type: 'failed'; readonly id: number; readonly error: string };

/** Limit of the files of one job: its variants, what animations have in addition, and its moderation frames. */
export const MAX_FILES = FILE_NAMES.length + MAX_MODERATION_FRAMES;
/** Limit of the characters of a worker's message that are logged. */
const MAX_DETAIL = 4000;

/**
 * Checks only the shape of a worker's message; null for anything else, which is ignored. A result of the wrong shape refuses
 * the file; `moveCheckedFiles` checks its content. Accepts only this service's own sentences as reasons, because the uploader sees them.
 */
export function readReply(message: unknown): WorkerReply | null {
  if (typeof message !== 'object' || message === null) return null;
  const { type, id, percent, result, reason, detail, error }: Partial<Record<string, unknown>> = {
    ...message,
  };
  if (type === 'ready') return { type };
  if (typeof id !== 'number') return null;
  if (type === 'progress') {
    return typeof percent === 'number' && percent >= 0 && percent <= 100 ? { type, id, percent } : null;
  }
  if (type === 'done') {
    if (isResult(result)) return { type, id, result };
    return { type: 'refused', id, reason: failureReason.crash, detail: 'The result is not valid.' };
  }
  if (type === 'refused') {
    const known = typeof reason === 'string' && isFailureReason(reason) ? reason : failureReason.crash;
    return { type, id, reason: known, detail: textOf(detail) };
  }
  return type === 'failed' ? { type, id, error: textOf(error) } : null;
}

/** Checks only that its parts exist and have the right type, and that its files have names. */
function isResult(result: unknown): result is JobResult {
  if (typeof result !== 'object' || result === null) return false;
  const { files, variants, frames, hashes }: Partial<Record<string, unknown>> = { ...result };
  if (![files, variants, frames, hashes].every(Array.isArray)) return false;
  return Array.isArray(files) && files.length <= MAX_FILES && files.every(isNamed);
}

const isNamed = (made: Partial<MadeFile> | null): boolean =>
  typeof made?.file === 'string' && typeof made.key === 'string';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_DETAIL) : '');
