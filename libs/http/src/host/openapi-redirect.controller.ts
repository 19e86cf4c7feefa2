import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Public } from '../access/access';

/** Leads programs that look for the OpenAPI document at the root of a host to it. */
@ApiExcludeController()
@Controller()
export class OpenApiRedirectController {
  constructor(private readonly urls: PublicUrlsConfig) {}

  @Get('openapi.json')
  @Redirect(undefined, 302)
  @Public()
  lead(): { readonly url: string } {
    return { url: `${this.urls.api}/openapi.json` };
  }
}
