import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Shares } from '@vitrine/concurrency';
import { toFormFlag } from '@vitrine/contracts/api';
import {
  InvalidFieldsError,
  LoadShedError,
  RefusedDestinationError,
  RemoteFiles,
  TooManyRequestsError,
} from '@vitrine/domain';
import { ObjectStorage } from '@vitrine/storage';
import type { Request } from 'express';
import { UploadConfig } from '../config/upload.config';
import type { DiskClaim } from '../scratch/disk-reserve';
import { ScratchFile } from '../scratch/scratch-file';
import { limitFile } from './file-content';
import { type FormFields, FormReading } from './form-reading';
import { watchPace } from './pace';
import { storeFile } from './store-file';
import { ClientGoneError, refusals } from './upload-errors';
import { readUploadFields } from './upload-fields';
import { type ReceivedFile, UploadReceiver } from './upload-receiver';

/** Simultaneous fetches, and those of one uploader: a slow server holds each for minutes. */
const FETCHES = { limit: 32, each: 4, leavesRoom: true };
const RETRY_AFTER = 5;
/** A fetch ends after this time, because its client waits for it. */
const MAX_SECONDS = 300;
/** The largest form; it holds only texts. */
const MAX_FORM_BYTES = 256 * 1024;
/** Bytes of a file after which the free space of the disk is checked again. */
const DISK_CHECK_BYTES = 16 << 20;

/** A body that names its file instead of holding it. */
export interface RemoteUpload extends Pick<ReceivedFile, 'digests'> {
  /** Gets the file. */
  fetch(): Promise<ReceivedFile>;
}

/** Fetches the files of uploads that name them by an address. */
@Injectable()
export class RemoteReceiver {
  private readonly fetches = new Shares(FETCHES);

  constructor(
    private readonly config: UploadConfig,
    private readonly receiver: UploadReceiver,
    private readonly remote: RemoteFiles,
    private readonly storage: ObjectStorage,
  ) {}

  /**
   * Reads the form of a request. The returned `fetch` gets the file that its field `url` names, at the pace that uploads
   * must keep. `assertMayPost` is called if a post is to be created too. Throws as `UploadReceiver.read`; `fetch` throws
   * `InvalidFieldsError` on `url` if the file can't be fetched, and `TooManyRequestsError` and `LoadShedError` if too many
   * files are being fetched.
   */
  async read(
    request: Request,
    disk: DiskClaim,
    subject: string,
    assertMayPost: () => void,
  ): Promise<RemoteUpload> {
    const fields = await this.readForm(request);
    const parts = [...fields].flatMap(([name, values]) => values.map((value) => [name, value] as const));
    const text = (name: string): string => fields.get(name)?.[0] ?? '';
    const postReference = text('post_id') || null;
    const unlisted = toFormFlag(text('unlisted') || 'false');
    if (unlisted === null) throw refusals.unlisted();
    const upload = readUploadFields(parts, postReference);
    if (upload.post) assertMayPost();
    if (text('url') === '') throw new InvalidFieldsError({ url: ['The url field is required.'] });
    const digests = parts.map(([name, value]) => ({
      name,
      sha256: createHash('sha256').update(value).digest(),
    }));
    const fetch = async (): Promise<ReceivedFile> => {
      const leave = this.take(subject);
      try {
        const { scratch, sha256 } = await this.fetch(text('url'), request, disk);
        return { scratch, sha256, postReference, unlisted, ...upload, digests };
      } finally {
        leave();
      }
    };
    return { digests, fetch };
  }

  private async readForm(request: Request): Promise<FormFields> {
    const rules = { fileFields: [], maxFiles: 0, maxFileBytes: 0, acceptsRaw: false };
    const reading = new FormReading(request, await this.storage.scratchDirectory(), rules);
    return (await this.receiver.read(request, reading, MAX_FORM_BYTES)).fields;
  }

  private take(subject: string): () => void {
    const refusal = this.fetches.refusalOf(subject);
    if (refusal === 'share') throw new TooManyRequestsError(RETRY_AFTER);
    if (refusal === 'full') throw new LoadShedError(RETRY_AFTER);
    return this.fetches.take(subject);
  }

  private async fetch(
    url: string,
    request: Request,
    disk: DiskClaim,
  ): Promise<Pick<ReceivedFile, 'scratch' | 'sha256'>> {
    const { maxFileBytes } = this.config;
    const scratch = await ScratchFile.create(await this.storage.scratchDirectory());
    const stop = new AbortController();
    const onClose = (): void => stop.abort(new ClientGoneError());
    let bytes = 0;
    const stopPace = watchPace(
      { ...this.config, totalSeconds: Math.min(this.config.totalSeconds, MAX_SECONDS) },
      () => bytes,
      () => stop.abort(unreachable('The server is too slow.')),
    );
    request.socket.once('close', onClose);
    if (request.socket.destroyed) onClose();
    try {
      const response = await this.remote.open(url, stop.signal);
      if (Number(response.headers['content-length'] ?? 0) > maxFileBytes) {
        response.destroy();
        throw refusals.tooLarge(maxFileBytes);
      }
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        let nextDiskCheck = DISK_CHECK_BYTES;
        for await (const chunk of limitFile(response, maxFileBytes)) {
          bytes += chunk.length;
          disk.arrived(chunk.length);
          if (bytes >= nextDiskCheck) {
            nextDiskCheck += DISK_CHECK_BYTES;
            await disk.check();
          }
          yield chunk;
        }
      };
      return { scratch, sha256: await storeFile(counted(), scratch) };
    } catch (error) {
      await scratch.discard();
      if (stop.signal.aborted) throw stop.signal.reason;
      if (error instanceof RefusedDestinationError) throw unreachable(error.message);
      // The connection ended in the middle of the file.
      throw isConnectionError(error) ? unreachable('The connection to the server was lost.') : error;
    } finally {
      stopPace();
      request.socket.off('close', onClose);
    }
  }
}

const unreachable = (sentence: string): InvalidFieldsError => new InvalidFieldsError({ url: [sentence] });

const isConnectionError = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'HPE_INVALID_CONSTANT'].includes(String(error.code));
