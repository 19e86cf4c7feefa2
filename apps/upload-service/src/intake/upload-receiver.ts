import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../upload.config';
import { watchPace } from './pace';
import { MultipartReading, type UploadParts } from './multipart-reading';
import { ScratchFile } from './scratch-file';
import { ClientGoneError, refusals } from './upload-errors';

/** What a body may hold besides the file's own bytes. */
const OVERHEAD_BYTES = 1 << 20;
/** A body that has ended and of which the parser still says nothing is one that it can't read. */
const PARSER_GRACE_MS = 10_000;

/** A file as it came: nothing about it is checked but its length and its first bytes. */
export interface ReceivedFile extends UploadParts {
  readonly scratch: ScratchFile;
}

/** Reads the bodies of uploads. */
@Injectable()
export class UploadReceiver {
  constructor(
    private readonly config: UploadConfig,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Reads a body, and stops as soon as its file can't be taken, with the rest unread. Throws the refusals of
   * upload-errors.ts and `ClientGoneError`, and leaves no scratch file then; else the caller discards it.
   */
  async receive(request: IncomingMessage): Promise<ReceivedFile> {
    const { 'content-type': contentType, 'content-length': contentLength } = request.headers;
    if (!contentType || !/^multipart\/form-data\b/i.test(contentType)) throw refusals.missing();
    if (Number(contentLength ?? 0) > this.config.maxFileBytes + OVERHEAD_BYTES) {
      throw refusals.tooLarge(this.config.maxFileBytes);
    }
    const scratch = await ScratchFile.create(await this.storage.scratchDirectory());
    try {
      const headers = { ...request.headers, 'content-type': contentType };
      const reading = new MultipartReading(headers, scratch, this.config.maxFileBytes);
      return { scratch, ...(await this.read(request, reading)) };
    } catch (error) {
      await scratch.discard();
      throw error;
    }
  }

  private async read(request: IncomingMessage, reading: MultipartReading): Promise<UploadParts> {
    const watch = new AbortController();
    try {
      const failure = this.watch(request, watch.signal);
      request.pipe(reading.parser);
      return await Promise.race([reading.parts, failure]);
    } finally {
      watch.abort();
      request.unpipe(reading.parser);
      await reading.stop();
    }
  }

  /** Rejects when the client hangs up, dawdles or sends too much, until `signal` says that it doesn't matter. */
  private watch(request: IncomingMessage, signal: AbortSignal): Promise<never> {
    return new Promise<never>((_, reject) => {
      let bytes = 0;
      const onData = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes > this.config.maxFileBytes + OVERHEAD_BYTES) {
          reject(refusals.tooLarge(this.config.maxFileBytes));
        }
      };
      const onClose = (): void => {
        if (!request.complete) reject(new ClientGoneError());
      };
      let grace: NodeJS.Timeout | undefined;
      const onEnd = (): void => {
        grace = setTimeout(() => reject(refusals.unreadableBody()), PARSER_GRACE_MS);
      };
      const stopPace = watchPace(
        this.config,
        () => bytes,
        () => reject(refusals.late()),
      );
      request.on('data', onData).on('close', onClose).on('error', onClose).on('end', onEnd);
      if (request.destroyed) onClose();
      signal.addEventListener('abort', () => {
        stopPace();
        clearTimeout(grace);
        request.off('data', onData).off('close', onClose).off('end', onEnd);
      });
    });
  }
}
