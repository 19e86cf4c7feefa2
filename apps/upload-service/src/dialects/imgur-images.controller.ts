import { Controller, Delete, Get, HttpCode, Param, Post, Req, Res, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { UpdateMediaRequest } from '@vitrine/contracts/api';
import { type Caller, MediaDeletion, MediaEditing, MediaReading, owns } from '@vitrine/domain';
import {
  presentMedia,
  Authenticated,
  assertAccess,
  CurrentAccess,
  CurrentCaller,
  CurrentViewer,
  Public,
  ReadsOwnBody,
  type RequestAccess,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Request, Response } from 'express';
import { DialectUploads } from './dialect-uploads';
import { ImgurAnswersInterceptor } from './imgur-answers.interceptor';
import { ImgurForms } from './imgur-forms';
import { presentImgurImage } from './imgur.presenter';

/** Images as Imgur's API 3 has them. The id of an image is the slug of a media item. */
@ApiExcludeController()
@UseInterceptors(ImgurAnswersInterceptor)
@Controller('3')
export class ImgurImagesController {
  constructor(
    private readonly uploads: DialectUploads,
    private readonly media: MediaReading,
    private readonly mediaEditing: MediaEditing,
    private readonly mediaDeletion: MediaDeletion,
    private readonly forms: ImgurForms,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Post(['image', 'upload'])
  @HttpCode(200)
  @Public()
  @ReadsOwnBody(true)
  upload(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const rules = { fileFields: ['image', 'video'], acceptsRaw: true } as const;
    return this.uploads.upload(
      { access, request, response },
      rules,
      ({ uploads: [{ media, deletionCode }] }) => presentImgurImage(media, deletionCode),
    );
  }

  @Get('image/:id')
  @Public()
  async show(@Param('id') id: string, @CurrentViewer() viewer: Caller | null): Promise<object> {
    const view = await this.media.findForViewer(id, viewer);
    return presentImgurImage(presentMedia(view, this.urls, owns(view.media, viewer)));
  }

  @Post('image/:id')
  @HttpCode(200)
  @Authenticated({ scope: 'write' })
  @ReadsOwnBody(true)
  async update(
    @Param('id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
  ): Promise<true> {
    const { title, description } = await this.forms.read(request, UpdateMediaRequest);
    await this.mediaEditing.update(id, caller, {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
    });
    return true;
  }

  /** By its deletehash for anyone who knows it; by its id for its owner with a token that may write. */
  @Delete('image/:code')
  @Public()
  async remove(@Param('code') code: string, @CurrentAccess() access: RequestAccess): Promise<true> {
    if (this.mediaDeletion.isDeletionCode(code)) await this.mediaDeletion.removeWithCode(code);
    else await this.mediaDeletion.remove(code, callerWhoMayWrite(access));
    return true;
  }
}

function callerWhoMayWrite(access: RequestAccess): Caller {
  assertAccess({ scope: 'write' }, access);
  return access.caller!;
}
