import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOperation, ApiResponse, ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import { MAX_POST_MEDIA, MAX_POSTS_OF_MEDIA, MAX_TAG_LENGTH, MAX_TAGS } from '@vitrine/contracts';
import type { ApiIndexResource } from '@vitrine/contracts/api';
import { API_PREFIX, HttpConfig, Public } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { ApiDescription } from './api-description';
import { API_VERSION } from './api-version';

@ApiTags('service')
@Controller(API_PREFIX)
export class OpenApiController {
  constructor(
    private readonly description: ApiDescription,
    private readonly urls: PublicUrlsConfig,
    private readonly limits: HttpConfig,
  ) {}

  /** An OpenAPI document can't name this path: its paths begin with a slash. */
  @Get()
  @Public()
  @ApiExcludeEndpoint()
  index(): ApiIndexResource {
    const { api, upload, cdn, site } = this.urls;
    return {
      name: 'Vitrine',
      version: API_VERSION,
      base_url: api,
      upload_url: upload,
      files_url: cdn,
      site_url: site,
      openapi_url: `${api}/openapi.json`,
      limits: {
        requests_per_minute: this.limits.publicPerMinute,
        requests_per_minute_with_token: this.limits.userPerMinute,
        media_per_post: MAX_POST_MEDIA,
        posts_per_media: MAX_POSTS_OF_MEDIA,
        tags: MAX_TAGS,
        tag_length: MAX_TAG_LENGTH,
      },
    };
  }

  @Get('openapi.json')
  @Public()
  // It changes only with a release; a copy that is some minutes old does no harm.
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({
    operationId: 'getOpenApi',
    summary: 'Get the OpenAPI document',
    description:
      'The addresses in it are those of this service. The response has an `ETag` and may be cached for five minutes.',
  })
  @ApiResponse({
    status: 200,
    description: 'This document, in OpenAPI 3.1.',
    schema: { type: 'object', additionalProperties: true, example: { openapi: '3.1.0' } },
  })
  @ApiResponse({ status: 304, description: 'The document matches the request’s `If-None-Match` header.' })
  show(@Res({ passthrough: true }) response: Response): OpenAPIObject {
    response.set('ETag', this.description.etag);
    return this.description.document;
  }
}
