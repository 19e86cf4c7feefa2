import { Controller, Post, Req, Res } from '@nestjs/common';
import type { UploadAnswer } from '@vitrine/contracts/api';
import { ForbiddenError, UrlUploadsConfig } from '@vitrine/domain';
import {
  mediaLocation,
  presentCreatedPost,
  presentMedia,
  API_PREFIX,
  CurrentAccess,
  Public,
  ReadsOwnBody,
  type RequestAccess,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Request, Response } from 'express';
import { RemoteReceiver } from '../receiving/remote-receiver';
import { type UploadedMedia, Uploads } from './uploads';

/** Accepts uploads. The OpenAPI document describes this route in apps/api-gateway/src/openapi/upload-operation.ts. */
@Controller(`${API_PREFIX}/media`)
export class UploadController {
  constructor(
    private readonly uploads: Uploads,
    private readonly remote: RemoteReceiver,
    private readonly urlUploads: UrlUploadsConfig,
    private readonly urls: PublicUrlsConfig,
  ) {}

  /** `Uploads` checks who may upload, so that refused uploads are counted too. */
  @Post()
  @Public()
  @ReadsOwnBody(true)
  upload(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadAnswer | string | undefined> {
    return this.uploads.upload({ access, request, response }, (uploaded) =>
      this.present(uploaded, access, response),
    );
  }

  /** Fetches the file from the address in the field `url`. */
  @Post('url')
  @Public()
  @ReadsOwnBody(true)
  uploadByUrl(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UploadAnswer | string | undefined> {
    return this.uploads.upload(
      { access, request, response },
      (uploaded) => this.present(uploaded, access, response),
      (disk, subject, assertMayPost) => {
        if (!this.urlUploads.uploadByUrl) throw new ForbiddenError();
        return this.remote.read(request, disk, subject, assertMayPost);
      },
    );
  }

  private present(uploaded: UploadedMedia, { caller }: RequestAccess, response: Response): UploadAnswer {
    response.set('Location', mediaLocation(uploaded.media, this.urls));
    const isOwn = caller !== null;
    return {
      message: 'The file has been uploaded.',
      media: presentMedia(uploaded, this.urls, isOwn),
      ...(uploaded.post && { post: presentCreatedPost(uploaded.post, this.urls) }),
    };
  }
}
