import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type Logger } from '@nestjs/common';
import type { MediaProcessingRequested } from '@vitrine/contracts';
import { keepNew, ObjectNotFoundError, ObjectStorage } from '@vitrine/storage';
import type { JobLane } from '../decoders/decoder-pool';
import { failureReason, UnprocessableFileError } from '../failures/failures';
import type { JobResult, JobTask } from '../jobs/protocol';
import { Decoding } from './decoding';
import { ProcessingMetrics } from './processing-metrics';
import { timeBudget, writtenBudget } from './time-budget';

export interface OriginalJob {
  readonly media: MediaProcessingRequested;
  readonly task: JobTask;
  readonly lane: JobLane;
  /** What is made, in log lines. */
  readonly subject: string;
  readonly logger: Logger;
  readonly onProgress?: (percent: number) => void;
  /** Moves the files of a worker's result out of its reach, and returns the checked result. */
  readonly accept: (
    made: JobResult,
    folders: { readonly from: string; readonly into: string },
  ) => Promise<JobResult>;
}

/** Runs jobs of decoders on originals in the storage. */
@Injectable()
export class OriginalJobs {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly decoding: Decoding,
    private readonly metrics: ProcessingMetrics,
  ) {}

  /**
   * Runs a job and calls `store` with its checked result and the folder with its files, which is removed afterwards. Throws
   * `UnprocessableFileError` if the file is at fault or gone.
   */
  async run<Stored>(
    job: OriginalJob,
    store: (result: JobResult, folder: string) => Promise<Stored>,
  ): Promise<Stored> {
    const original = await this.storage.checkOut(job.media.key).catch((error: unknown) => {
      throw error instanceof ObjectNotFoundError ? new UnprocessableFileError(failureReason.gone) : error;
    });
    try {
      return await this.inFolders((from, into) => this.runIn({ from, into }, original.path, job, store));
    } finally {
      await original.release();
    }
  }

  private async runIn<Stored>(
    folders: { readonly from: string; readonly into: string },
    source: string,
    { media, task, lane, subject, logger, onProgress = () => undefined, accept }: OriginalJob,
    store: (result: JobResult, folder: string) => Promise<Stored>,
  ): Promise<Stored> {
    const result = await this.decoding.run(
      { media, task, source, folder: folders.from },
      {
        lane,
        ...timeBudget(media, lane),
        writtenLimit: writtenBudget(media),
        onProgress,
        onCrash: (error) => {
          this.metrics.crashed();
          logger.warn(`Trying ${subject} again on a fresh worker: ${error.message}`);
        },
        accept: (made) => accept(made, folders),
      },
    );
    return store(result, folders.into);
  }

  /** Calls `work` with two empty folders, for the results of the worker and for checked ones, and removes them afterwards. */
  private async inFolders<Result>(work: (from: string, into: string) => Promise<Result>): Promise<Result> {
    const scratch = await this.storage.scratchDirectory();
    const made: string[] = [];
    const make = (): string => {
      const path = mkdtempSync(join(scratch, 'variants-'));
      made.push(path);
      return path;
    };
    let letAge: (() => void) | undefined;
    try {
      const [from, into] = [make(), make()];
      letAge = keepNew(from, into);
      return await work(from, into);
    } finally {
      letAge?.();
      for (const path of made) rmSync(path, { recursive: true, force: true });
    }
  }
}
