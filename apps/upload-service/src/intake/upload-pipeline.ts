import { Injectable, Logger } from '@nestjs/common';
import { MediaUploads } from '@vitrine/domain';
import type { RequestAccess } from '@vitrine/http';
import { Outbox } from '@vitrine/outbox';
import type { Request, Response } from 'express';
import type { Claimant, DiskClaim } from '../scratch/disk-reserve';
import { ClientGoneError } from '../receiving/upload-errors';
import type { ReceivedFile } from '../receiving/upload-receiver';
import { IntakeService, type UploadedMedia, type Uploader } from './intake.service';
import { UploadMetrics } from './upload-metrics';
import { UploadRoom } from './upload-room';
import { UploadSlots } from './upload-slots';

/** One upload request. Its body is not read by Nest, because most refusals must not wait for it. */
export interface UploadExchange {
  readonly access: RequestAccess;
  readonly request: Request;
  readonly response: Response;
}

/**
 * The steps of every upload, in their order: `run` counts it, `admit` refuses it before its body is read, `receive` gives
 * it a slot and disk, `createMedia` makes media of its files. The API and the dialects differ in how they read a body and
 * write an answer.
 */
@Injectable()
export class UploadPipeline {
  private readonly logger = new Logger(UploadPipeline.name);

  constructor(
    private readonly media: MediaUploads,
    private readonly room: UploadRoom,
    private readonly slots: UploadSlots,
    private readonly intake: IntakeService,
    private readonly metrics: UploadMetrics,
    private readonly outbox: Outbox,
  ) {}

  /** Runs an upload, and counts it if it fails. Returns undefined if the client closed the connection. */
  async run<Result>(upload: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await this.metrics.countFailures(upload);
    } catch (error) {
      if (!(error instanceof ClientGoneError)) throw error;
      this.logger.debug('The client closed the connection before its upload was complete');
      return undefined;
    }
  }

  /**
   * Refuses what can be refused without the body. `mayBeBase64`: the files may be written as text. Throws
   * `TooManyRequestsError` and `InsufficientStorageError`.
   */
  async admit(uploader: Uploader, { request }: UploadExchange, mayBeBase64 = false): Promise<void> {
    await this.media.assertWithinQuota(uploader.quota);
    await this.room.assertQuota(uploader, request, mayBeBase64);
  }

  /**
   * Runs `read` in an upload slot while the disk has room for the body. Without an uploader, whose token may be in the body, that
   * is a slot of the address, and `read` reads at most `most` bytes before it knows the uploader and calls `identify`. Throws as
   * `UploadSlots` and `UploadRoom` do.
   */
  receive<Result>(
    exchange: UploadExchange,
    uploader: Uploader | null,
    read: (disk: DiskClaim) => Promise<Result>,
    most?: number,
  ): Promise<Result> {
    const { access, request } = exchange;
    const subject = uploader?.quota.subject ?? `ip:${access.clientKey}`;
    return this.slots.run(subject, () =>
      this.room.claimDisk(request, claimantOf(exchange, uploader), most, read),
    );
  }

  /** Admits the uploader of a body that is being read, and claims disk for the rest of it. Throws as `admit` and `UploadRoom` do. */
  async identify(uploader: Uploader, exchange: UploadExchange, disk: DiskClaim): Promise<void> {
    await this.admit(uploader, exchange, true);
    await this.room.claimWhole(disk, exchange.request, claimantOf(exchange, uploader));
  }

  /**
   * Makes media of received files: either all become media or none. Their processing begins after the answers of all uploads
   * whose bodies have arrived, or half a second later. Throws as `IntakeService.createMedia` does.
   */
  async createMedia(files: readonly ReceivedFile[], uploader: Uploader): Promise<readonly UploadedMedia[]> {
    if (files.length > 1) await this.media.assertWithinQuota(uploader.quota, files.length);
    const created = await this.outbox.answerFirst(() => this.intake.createMedia(files, uploader));
    for (const { scratch } of files) this.metrics.countAccepted(scratch.size);
    return created;
  }
}

const claimantOf = ({ access }: UploadExchange, uploader: Uploader | null): Claimant => ({
  address: access.clientKey,
  account: uploader?.quota.subject ?? null,
});

/** Tells a client that waits for it to send the body. */
export function askForBody({ request, response }: UploadExchange): void {
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
}
