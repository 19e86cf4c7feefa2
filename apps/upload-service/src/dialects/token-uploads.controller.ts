import { Controller, HttpCode, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CurrentAccess, Public, ReadsOwnBody, type RequestAccess } from '@vitrine/http';
import type { Request, Response } from 'express';
import { type DialectUpload, DialectUploads } from './dialect-uploads';

/** Files that a program of Zipline may send in one request. */
const MAX_ZIPLINE_FILES = 10;
/** Options that Zipline's programs may send and Vitrine doesn't have. */
const ZIPLINE_REFUSED = ['x-zipline-deletes-at', 'x-zipline-max-views', 'x-zipline-password'] as const;
/** Longest name of a file that is sent back. */
const MAX_FILENAME = 255;

/** Uploads of programs that send their token in a header, in the forms of Zipline 4, Lsky Pro 2 and others. */
@ApiExcludeController()
@Controller()
export class TokenUploadsController {
  constructor(private readonly uploads: DialectUploads) {}

  @Post('api/upload')
  @HttpCode(200)
  @Public()
  @ReadsOwnBody(true)
  zipline(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const rules = {
      fileFields: ['file', 'file[]', 'files', 'files[]'],
      maxFiles: MAX_ZIPLINE_FILES,
      refusedFields: ZIPLINE_REFUSED,
    };
    return this.uploads.upload({ access, request, response }, rules, ({ uploads }) => {
      if (request.get('x-zipline-no-json') === 'true') {
        response.type('text/plain; charset=utf-8');
        return uploads.map(({ media }) => media.urls.original).join(',');
      }
      return {
        files: uploads.map(({ media }) => ({
          id: media.slug,
          name: `${media.slug}.${media.ext}`,
          type: media.type,
          url: media.urls.original,
        })),
      };
    });
  }

  @Post('api/v1/upload')
  @HttpCode(200)
  @Public()
  @ReadsOwnBody(true)
  lsky(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const rules = { fileFields: ['file'], refusedFields: ['expired_at'] };
    return this.uploads.upload({ access, request, response }, rules, ({ uploads: [upload] }) => ({
      status: true,
      message: 'The file has been uploaded.',
      data: presentLsky(upload),
    }));
  }

  /** The earlier generation of Vitrine. The body is the file; its content shows its type, not `filename`. */
  @Post('uploads')
  @HttpCode(201)
  @Public()
  @ReadsOwnBody(true)
  legacy(
    @CurrentAccess() access: RequestAccess,
    @Query('filename') filename: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const rules = { fileFields: ['file'], acceptsRaw: true } as const;
    return this.uploads.upload({ access, request, response }, rules, ({ uploads: [upload] }) => {
      const { media, deletionUrl } = upload;
      const { slug, ext, processed, urls } = media;
      const name = typeof filename === 'string' && filename !== '' ? filename : `${slug}.${ext}`;
      return {
        data: {
          slug,
          filename: name.slice(0, MAX_FILENAME),
          ext,
          pageUrl: media.page_url,
          processing: !processed,
          discard: deletionUrl,
          urls,
        },
      };
    });
  }

  /** `PUT /<name>`, as `curl -T` sends it; see `dialectRequests` for the path. */
  @Put('put/:name')
  @HttpCode(201)
  @Public()
  @ReadsOwnBody(true)
  plain(
    @CurrentAccess() access: RequestAccess,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    const rules = { fileFields: [], acceptsRaw: true } as const;
    return this.uploads.upload({ access, request, response }, rules, ({ uploads: [{ media }] }) => {
      response.type('text/plain; charset=utf-8').set('Location', media.urls.original);
      return `${media.urls.original}\n`;
    });
  }
}

/** Lsky's picture. `size` is in kilobytes. */
function presentLsky({ media, deletionUrl }: DialectUpload) {
  const { slug, ext, urls } = media;
  const name = `${slug}.${ext}`;
  return {
    key: slug,
    name,
    pathname: name,
    origin_name: name,
    size: Math.round((media.size / 1024) * 100) / 100,
    mimetype: media.type,
    extension: ext,
    width: media.width,
    height: media.height,
    links: {
      url: urls.original,
      html: `<img src="${urls.original}" alt="${slug}">`,
      bbcode: `[img]${urls.original}[/img]`,
      markdown: `![${slug}](${urls.original})`,
      markdown_with_link: `[![${slug}](${urls.original})](${urls.original})`,
      thumbnail_url: urls.thumb,
      delete_url: deletionUrl,
    },
  };
}
