import { Injectable } from '@nestjs/common';
import {
  assertAccess,
  type CallerKey,
  canonicalParts,
  CREATE_POST_ACCESS,
  Idempotency,
  requestDigest,
} from '@vitrine/http';
import type { DiskClaim } from '../scratch/disk-reserve';
import { UploadReceiver } from '../receiving/upload-receiver';
import type { UploadedMedia, Uploader } from './intake.service';
import { askForBody, type UploadExchange, UploadPipeline } from './upload-pipeline';
import { UploaderPolicy } from './uploader-policy';

/** Makes the response body for a new media item, and may set headers. */
export type PresentUpload<Answer> = (uploaded: UploadedMedia) => Answer;

/** The uploads of the API: one file in a multipart body, with an idempotency key if the client sends one. */
@Injectable()
export class UploadService {
  constructor(
    private readonly policy: UploaderPolicy,
    private readonly pipeline: UploadPipeline,
    private readonly receiver: UploadReceiver,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Returns the body to send: what `present` makes, or the stored response of an earlier request with the same
   * idempotency key; undefined if the client closed the connection. Throws the refusals of upload-errors.ts and of
   * `UploaderPolicy`, `UploadPipeline` and `Idempotency`.
   */
  upload<Answer>(
    exchange: UploadExchange,
    present: PresentUpload<Answer>,
  ): Promise<Answer | string | undefined> {
    return this.pipeline.run(async () => {
      const uploader = this.policy.uploaderOf(exchange.access);
      const key = this.idempotency.keyOf(exchange.request);
      // A stored response is returned even if its upload was the last one that the quota allowed.
      if (!key || !(await this.idempotency.knows(key))) await this.pipeline.admit(uploader, exchange);
      return this.pipeline.receive(exchange, uploader, (disk) =>
        this.receive(exchange, uploader, key, disk, present),
      );
    });
  }

  private async receive<Answer>(
    exchange: UploadExchange,
    uploader: Uploader,
    key: CallerKey | null,
    disk: DiskClaim,
    present: PresentUpload<Answer>,
  ): Promise<Answer | string | undefined> {
    const { access, request, response } = exchange;
    askForBody(exchange);
    const received = await this.receiver.receive(request, disk, () =>
      assertAccess(CREATE_POST_ACCESS, access),
    );
    const createMedia = async (): Promise<Answer> => {
      const [uploaded] = await this.pipeline.createMedia([received], uploader);
      return present(uploaded!);
    };
    try {
      if (!key) return await createMedia();
      const digest = requestDigest(request.method, request.originalUrl, canonicalParts(received.digests));
      return await this.idempotency.respond(response, key, { digest, secretive: false }, createMedia);
    } finally {
      received.scratch.discardSoon();
    }
  }
}
