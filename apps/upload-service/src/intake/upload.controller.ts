import { Controller, Post, Req, Res } from '@nestjs/common';
import type { UploadAnswer } from '@vitrine/contracts/api';
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
import { type UploadedMedia, Uploads } from './uploads';

/** Accepts uploads. The OpenAPI document describes this route in apps/api-gateway/src/openapi/upload-operation.ts. */
@Controller(`${API_PREFIX}/media`)
export class UploadController {
  constructor(
    private readonly uploads: Uploads,
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
