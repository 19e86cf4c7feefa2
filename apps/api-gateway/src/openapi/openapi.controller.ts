import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags, type OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX, Public } from '@vitrine/http';
import type { Response } from 'express';
import { ApiDescription } from './api-description';

@ApiTags('service')
@Controller(API_PREFIX)
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  @Get('openapi.json')
  @Public()
  // It changes with a release alone; a stale copy for some minutes hurts nobody.
  @Header('Cache-Control', 'public, max-age=300')
  @ApiOperation({ operationId: 'getOpenApi', summary: 'This document' })
  @ApiResponse({
    status: 200,
    description: 'OpenAPI 3.1.',
    schema: { type: 'object', additionalProperties: true, example: { openapi: '3.1.0' } },
  })
  @ApiResponse({ status: 304, description: 'As the `If-None-Match` of the request has it.' })
  show(@Res({ passthrough: true }) response: Response): OpenAPIObject {
    response.set('ETag', this.description.etag);
    return this.description.document;
  }
}
