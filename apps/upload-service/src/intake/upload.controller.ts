import { Controller, Logger, Post, Req, Res } from '@nestjs/common';
import type { UploadAnswer } from '@vitrine/contracts';
import { mediaLocation, MediaService, type MediaView, presentMedia } from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { type Admission, API_PREFIX, CurrentAdmission, Public } from '@vitrine/http';
import type { Request, Response } from 'express';
import { AdmissionDesk } from './admission-desk';
import { IntakeService, type Uploader } from './intake.service';
import { ClientGoneError } from './upload-errors';
import { UploadReceiver } from './upload-receiver';
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
  ) {}

  /** Everything that can be refused without the body is refused before it is read. */
  @Post()
  @Public()
  async upload(
    @CurrentAdmission() admission: Admission,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadAnswer | undefined> {
    const uploader = this.policy.uploaderOf(admission);
    await this.media.assertWithinQuota(uploader.quota);
    try {
      const view = await this.desk.admit(uploader.quota.subject, () =>
        this.take(request, response, uploader),
      );
      response.set('Location', mediaLocation(view.media, this.urls));
      return { message: 'The file has been uploaded.', media: presentMedia(view, this.urls) };
    } catch (error) {
      if (!(error instanceof ClientGoneError)) throw error;
      this.logger.debug('A client hung up before its upload was whole');
      return undefined;
    }
  }

  private async take(request: Request, response: Response, uploader: Uploader): Promise<MediaView> {
    if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
    const received = await this.receiver.receive(request);
    try {
      return await this.intake.takeIn(received, uploader);
    } finally {
      received.scratch.discardSoon();
    }
  }
}
