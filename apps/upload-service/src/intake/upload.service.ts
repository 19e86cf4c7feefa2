import { Injectable, Logger } from '@nestjs/common';
import { MediaUploads } from '@vitrine/domain';
import {
  assertAccess,
  type CallerKey,
  canonicalParts,
  CREATE_POST_ACCESS,
  Idempotency,
  type RequestAccess,
  requestDigest,
} from '@vitrine/http';
import type { Request, Response } from 'express';
import { ClientGoneError } from '../receiving/upload-errors';
import type { DiskClaim } from '../scratch/disk-reserve';
import { type ReceivedFile, UploadReceiver } from '../receiving/upload-receiver';
import { IntakeService, type UploadedMedia, type Uploader } from './intake.service';
import { UploadMetrics } from './upload-metrics';
import { UploadRoom } from './upload-room';
import { UploadSlots } from './upload-slots';
import { UploaderPolicy } from './uploader-policy';

/** One upload request. Its body is read here, because most refusals must not wait for it. */
export interface UploadExchange {
  readonly access: RequestAccess;
  readonly request: Request;
  readonly response: Response;
}

/** Makes the response body for a new media item, and may set headers. */
export type PresentUpload<Answer> = (uploaded: UploadedMedia) => Answer;

/** Carries out uploads: permission, quota and a slot first, then the body, then the media item. */
@Injectable()
export class UploadService {
  private readonly logger = new Logger(UploadService.name);

  constructor(
    private readonly policy: UploaderPolicy,
    private readonly media: MediaUploads,
    private readonly room: UploadRoom,
    private readonly slots: UploadSlots,
    private readonly receiver: UploadReceiver,
    private readonly intake: IntakeService,
    private readonly idempotency: Idempotency,
    private readonly metrics: UploadMetrics,
  ) {}

  /**
   * Returns the body to send: what `present` makes, or the stored response of an earlier request with the same
   * idempotency key; undefined if the client closed the connection. Throws the refusals of upload-errors.ts and of
   * `UploaderPolicy`, `UploadRoom`, `UploadSlots` and `Idempotency`.
   */
  async upload<Answer>(
    exchange: UploadExchange,
    present: PresentUpload<Answer>,
  ): Promise<Answer | string | undefined> {
    try {
      return await this.metrics.countFailures(() => this.startUpload(exchange, present));
    } catch (error) {
      if (!(error instanceof ClientGoneError)) throw error;
      this.logger.debug('The client closed the connection before its upload was complete');
      return undefined;
    }
  }

  /** Refuses everything that can be refused without the body before reading it. */
  private async startUpload<Answer>(
    exchange: UploadExchange,
    present: PresentUpload<Answer>,
  ): Promise<Answer | string | undefined> {
    const uploader = this.policy.uploaderOf(exchange.access);
    const key = this.idempotency.keyOf(exchange.request);
    // A stored response is returned even if its upload was the last one that the quota allowed.
    if (!key || !(await this.idempotency.knows(key))) {
      await this.media.assertWithinQuota(uploader.quota);
      await this.room.assertQuota(uploader, exchange.request);
    }
    return this.slots.run(uploader.quota.subject, () =>
      this.room.claimDisk(exchange.request, (disk) => this.receive(exchange, uploader, key, disk, present)),
    );
  }

  private async receive<Answer>(
    { access, request, response }: UploadExchange,
    uploader: Uploader,
    key: CallerKey | null,
    disk: DiskClaim,
    present: PresentUpload<Answer>,
  ): Promise<Answer | string | undefined> {
    if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
    const received = await this.receiver.receive(request, disk, () =>
      assertAccess(CREATE_POST_ACCESS, access),
    );
    const createMedia = async (): Promise<Answer> => present(await this.createMedia(received, uploader));
    try {
      if (!key) return await createMedia();
      const digest = requestDigest(request.method, request.originalUrl, canonicalParts(received.digests));
      return await this.idempotency.respond(response, key, { digest, secretive: false }, createMedia);
    } finally {
      received.scratch.discardSoon();
    }
  }

  private async createMedia(received: ReceivedFile, uploader: Uploader): Promise<UploadedMedia> {
    const uploaded = await this.intake.createMedia(received, uploader);
    this.metrics.countAccepted(received.scratch.size);
    return uploaded;
  }
}
