import type { MediaUploaded, PerceptualHash, VariantRecord } from '@vitrine/contracts';

/** The programs that a worker may start; absolute paths, null where the machine lacks one. */
export interface Tools {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly prlimit: string | null;
}

/** One file to be turned into variants. */
export interface MediaJob {
  readonly media: Pick<
    MediaUploaded,
    'slug' | 'kind' | 'format' | 'mime' | 'ext' | 'key' | 'bytes' | 'frames' | 'duration'
  >;
  /** The original, to be read only. */
  readonly source: string;
  /** An empty folder of this job's own for what it makes. */
  readonly folder: string;
  readonly tools: Tools;
  readonly limits: {
    /** Bytes that a program started by the worker may allocate. */
    readonly toolMemory: number;
    /** Seconds of processor time that it may take. */
    readonly toolSeconds: number;
  };
}

/** A file in the job's folder, and the object key that it is meant for. */
export interface MadeFile {
  readonly file: string;
  readonly key: string;
}

export interface JobResult {
  readonly files: readonly MadeFile[];
  readonly variants: readonly VariantRecord[];
  readonly frames: readonly string[];
  readonly hashes: readonly PerceptualHash[];
  readonly thumbhash: string;
  readonly width: number;
  readonly height: number;
  readonly duration: number | null;
}

/** Parent to worker, as JSON over the fork's channel; one at a time. */
export interface WorkerRequest {
  readonly id: number;
  readonly job: MediaJob;
}

/** Worker to parent: `ready` once it can take a job, then for each job any number of `progress` and one ending. */
export type WorkerReply =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly id: number; readonly percent: number }
  | { readonly type: 'done'; readonly id: number; readonly result: JobResult }
  /** The file is at fault: `reason` is for its uploader, `detail` for the log. */
  | { readonly type: 'refused'; readonly id: number; readonly reason: string; readonly detail?: string }
  /** Something else is: worth another try. */
  | { readonly type: 'failed'; readonly id: number; readonly error: string };
