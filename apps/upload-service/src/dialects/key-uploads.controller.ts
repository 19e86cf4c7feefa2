import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentAccess, Public, ReadsOwnBody, type RequestAccess } from '@vitrine/http';
import type { Request, Response } from 'express';
import { presentChevereto, presentImgbb } from './chevereto.presenter';
import { DialectUploads } from './dialect-uploads';

/** The uploads of Chevereto's and ImgBB's programs, which send their token as `key`. */
@ApiExcludeController()
@Controller()
export class KeyUploadsController {
  constructor(private readonly uploads: DialectUploads) {}

  @Post('api/1/upload')
  @HttpCode(200)
  @Public()
  @ReadsOwnBody(true)
  chevereto(
    @CurrentAccess() access: RequestAccess,
    @Query('format') sentFormat: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const rules = { fileFields: ['source'], keyInBody: true, refusedFields: ['expiration'] } as const;
    return this.uploads.upload({ access, request, response }, rules, ({ fields, uploads: [upload] }) => {
      switch (fields.get('format')?.[0] ?? sentFormat) {
        case 'txt':
          response.type('text/plain; charset=utf-8');
          return upload.media.urls.original;
        case 'redirect':
          response.status(302).set('Location', upload.media.page_url);
          return '';
        default:
          return presentChevereto(upload);
      }
    });
  }

  @Post('1/upload')
  @HttpCode(200)
  @Public()
  @ReadsOwnBody(true)
  imgbb(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const rules = { fileFields: ['image'], keyInBody: true, refusedFields: ['expiration'] } as const;
    return this.uploads.upload({ access, request, response }, rules, ({ uploads: [upload] }) =>
      presentImgbb(upload),
    );
  }
}
