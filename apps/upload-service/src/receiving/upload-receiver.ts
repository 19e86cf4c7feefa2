import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ObjectStorage } from '@vitrine/storage';
import { UploadConfig } from '../config/upload.config';
import { watchPace } from './pace';
import { MultipartReading, type UploadParts } from './multipart-reading';
import type { DiskClaim } from '../scratch/disk-reserve';
import { ScratchFile } from '../scratch/scratch-file';
import { ClientGoneError, refusals } from './upload-errors';

/** Types of a body that holds nothing but a file. */
const RAW_BYTES = /^(?:image|video)\/|^application\/octet-stream\b/i;

/** Largest size of a body besides the bytes of its files. */
export const OVERHEAD_BYTES = 1 << 20;
/** If the parser has not finished this long after the end of the body, it cannot read the body. */
const PARSER_GRACE_MS = 10_000;

/** Bytes of a body after which the free space of the disk is checked again. */
const DISK_CHECK_BYTES = 16 << 20;

/** A received file. Only its length and its first bytes have been checked. */
export interface ReceivedFile extends UploadParts {
  readonly scratch: ScratchFile;
  /** Hash of the key with which anyone may delete the media item. */
  readonly deletionSha256?: Buffer;
}

/** A body that is being read. */
export interface BodyReading<Result> {
  /** The stream to write the body to. */
  readonly parser: Writable;
  /** Resolves when the whole body has been read; rejects as soon as there is a reason to refuse it. */
  readonly parts: Promise<Result>;
  /** Stops reading; resolves when nothing writes to a scratch file any longer. */
  stop(): Promise<void>;
}

/** Reads the bodies of uploads into scratch files. */
@Injectable()
export class UploadReceiver {
  constructor(
    private readonly config: UploadConfig,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Reads a body, and stops as soon as its file must be refused; the rest then stays unread. `assertMayPost` is called if
   * a post is to be created too. Throws what it throws, the refusals of upload-errors.ts and `ClientGoneError`, and then
   * leaves no scratch file. Otherwise the caller must discard it.
   */
  async receive(request: IncomingMessage, disk: DiskClaim, assertMayPost: () => void): Promise<ReceivedFile> {
    const { 'content-type': contentType, 'content-length': contentLength } = request.headers;
    if (!contentType || !/^multipart\/form-data\b/i.test(contentType)) {
      throw RAW_BYTES.test(contentType ?? '') ? refusals.notMultipart() : refusals.missing();
    }
    if (Number(contentLength ?? 0) > this.config.maxFileBytes + OVERHEAD_BYTES) {
      throw refusals.tooLarge(this.config.maxFileBytes);
    }
    const scratch = await ScratchFile.create(await this.storage.scratchDirectory());
    try {
      const headers = { ...request.headers, 'content-type': contentType };
      const reading = new MultipartReading(headers, scratch, this.config.maxFileBytes, assertMayPost);
      return { scratch, ...(await this.read(request, reading, undefined, disk)) };
    } catch (error) {
      await scratch.discard();
      throw error;
    }
  }

  /**
   * Reads a body of at most `maxBytes` while its sender keeps the pace and the disk has room. Rejects like
   * `reading.parts`, and with `ClientGoneError`, `InsufficientStorageError` and the refusals of a late and of a large
   * body.
   */
  async read<Result>(
    request: IncomingMessage,
    reading: BodyReading<Result>,
    maxBytes = this.config.maxFileBytes + OVERHEAD_BYTES,
    disk?: DiskClaim,
  ): Promise<Result> {
    let stopWatching = (): void => undefined;
    try {
      const failure = new Promise<never>((_, reject) => {
        stopWatching = this.watch(request, maxBytes, disk, reject);
      });
      request.pipe(reading.parser);
      return await Promise.race([reading.parts, failure]);
    } finally {
      stopWatching();
      request.unpipe(reading.parser);
      await reading.stop();
    }
  }

  /**
   * Calls `fail` if the client closes the connection, is too slow or sends too much, until the returned function is
   * called.
   */
  private watch(
    request: IncomingMessage,
    maxBytes: number,
    disk: DiskClaim | undefined,
    fail: (error: unknown) => void,
  ): () => void {
    let bytes = 0;
    let nextDiskCheck = DISK_CHECK_BYTES;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      disk?.arrived(chunk.length);
      if (bytes > maxBytes) fail(refusals.tooLarge(this.config.maxFileBytes));
      if (bytes < nextDiskCheck) return;
      nextDiskCheck += DISK_CHECK_BYTES;
      disk?.check().catch(fail);
    };
    const onClose = (): void => {
      if (!request.complete) fail(new ClientGoneError());
    };
    let grace: NodeJS.Timeout | undefined;
    const onEnd = (): void => {
      grace = setTimeout(() => fail(refusals.unreadableBody()), PARSER_GRACE_MS);
    };
    const stopPace = watchPace(
      this.config,
      () => bytes,
      () => fail(refusals.late()),
    );
    request.on('data', onData).on('close', onClose).on('error', onClose).on('end', onEnd);
    if (request.destroyed) onClose();
    return () => {
      stopPace();
      clearTimeout(grace);
      request.off('data', onData).off('close', onClose).off('end', onEnd);
    };
  }
}
