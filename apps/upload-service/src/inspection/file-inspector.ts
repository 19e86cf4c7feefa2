import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Inspection } from '@vitrine/formats';
import { UploadConfig } from '../config/upload.config';
import { InspectionThreads } from './inspection-threads';

/**
 * The result of an inspection. `sentence` tells the uploader which variant of an accepted type is not supported. `problem` is
 * logged; it is set if the parser, not the file, may be wrong.
 */
export type InspectionOutcome =
  | { readonly inspection: Inspection }
  | { readonly refusal: 'unsupported'; readonly sentence: string }
  | { readonly refusal: 'wrongType' | 'unreadable' | 'overran'; readonly problem?: string };

const PROGRAM = join(__dirname, 'inspection.worker.js');
const THREADS = 2;

/**
 * Inspects untrusted files in separate threads. A file that is made to be slow delays no other uploader, and a file that
 * causes an endless loop or a memory leak in a parser only costs its thread.
 */
@Injectable()
export class FileInspector implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(FileInspector.name);
  private readonly threads: InspectionThreads<InspectionOutcome>;

  constructor(private readonly config: UploadConfig) {
    this.threads = new InspectionThreads({
      program: PROGRAM,
      threads: THREADS,
      timeLimit: config.inspectionTimeoutMs,
    });
  }

  onApplicationBootstrap(): void {
    this.threads.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.stop();
  }

  /** Inspects the file at `path` when it is the caller's turn. Never throws because of the file's content. */
  async inspect(caller: string, path: string): Promise<InspectionOutcome> {
    const answered = await this.threads.ask(caller, path);
    if ('answer' in answered) {
      const { answer } = answered;
      if ('problem' in answer)
        this.logger.error(`A parser failed, so the file is refused: ${answer.problem}`);
      return answer;
    }
    if (answered.failure === 'overran') {
      this.logger.warn(
        `Refusing a file: its inspection took more than ${this.config.inspectionTimeoutMs} ms of processor time`,
      );
      return { refusal: 'overran' };
    }
    this.logger.error(`Refusing a file: it ended the thread that inspected it (${answered.why})`);
    return { refusal: 'unreadable' };
  }
}
