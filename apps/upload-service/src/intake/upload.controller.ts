import { Controller, Logger, Post, Req, Res } from '@nestjs/common';
import type { UploadAnswer } from '@vitrine/contracts';
import { mediaLocation, MediaService, presentMedia } from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import {
  type Admission,
  API_PREFIX,
  type CallerKey,
  canonicalParts,
  CurrentAdmission,
  Idempotency,
  Public,
  ReadsOwnBody,
  requestDigest,
} from '@vitrine/http';
import type { Request, Response } from 'express';
import { AdmissionDesk } from './admission-desk';
import { IntakeService, type Uploader } from './intake.service';
import { ClientGoneError } from './upload-errors';
import { UploadMetrics } from './upload-metrics';
import { type ReceivedFile, UploadReceiver } from './upload-receiver';
import { UploaderPolicy } from './uploader-policy';

/** Takes files in. The API's document describes it: libs/http/src/openapi/upload-operation.ts. */
@Controller(`${API_PREFIX}/media`)
export class UploadController {
  private readonly logger = new Logger(UploadController.name);

  constructor(
    private readonly urls: PublicUrlsConfig,
    private readonly policy: UploaderPolicy,
    private readonly media: MediaService,
    private readonly desk: AdmissionDesk,
    private readonly receiver: UploadReceiver,
    private readonly intake: IntakeService,
    private readonly idempotency: Idempotency,
    private readonly metrics: UploadMetrics,
  ) {}

  /** Everything that can be refused without the body is refused before it is read. */
  @Post()
  @Public()
  @ReadsOwnBody(true)
  async upload(
    @CurrentAdmission() admission: Admission,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadAnswer | string | undefined> {
    try {
      return await this.metrics.watch(() => this.admit(admission, request, response));
    } catch (error) {
      if (!(error instanceof ClientGoneError)) throw error;
      this.logger.debug('A client hung up before its upload was whole');
      return undefined;
    }
  }

  private async admit(
    admission: Admission,
    request: Request,
    response: Response,
  ): Promise<UploadAnswer | string | undefined> {
    const uploader = this.policy.uploaderOf(admission);
    const key = this.idempotency.keyOf(request);
    // What was answered before is answered again, also where that was the last file of the day.
    if (!key || !(await this.idempotency.knows(key))) await this.media.assertWithinQuota(uploader.quota);
    return this.desk.admit(uploader.quota.subject, () => this.take(request, response, uploader, key));
  }

  private async take(
    request: Request,
    response: Response,
    uploader: Uploader,
    key: CallerKey | null,
  ): Promise<UploadAnswer | string | undefined> {
    if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
    const received = await this.receiver.receive(request);
    try {
      if (!key) return await this.register(received, response, uploader);
      const digest = requestDigest(request.method, request.originalUrl, canonicalParts(received.digests));
      return await this.idempotency.respond(response, key, { digest, secretive: false }, () =>
        this.register(received, response, uploader),
      );
    } finally {
      received.scratch.discardSoon();
    }
  }

  private async register(
    received: ReceivedFile,
    response: Response,
    uploader: Uploader,
  ): Promise<UploadAnswer> {
    const view = await this.intake.takeIn(received, uploader);
    this.metrics.takenIn(received.scratch.size);
    response.set('Location', mediaLocation(view.media, this.urls));
    const own = uploader.userId !== null;
    return { message: 'The file has been uploaded.', media: presentMedia(view, this.urls, own) };
  }
}
