import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { provideConfig } from '@vitrine/runtime';
import { WebsiteConfig } from '../config/website.config';
import { ApiClients } from './api-clients';
import { FormTokens } from './form-tokens';
import { FormsGuard } from './forms.guard';
import { SiteCookies } from './site-cookies';
import { Viewers } from './viewers';
import { Visits } from './visits';

/** The visit of each request: cookies, API clients, form tokens. All features use it. */
@Global()
@Module({
  providers: [
    provideConfig(WebsiteConfig),
    ApiClients,
    FormTokens,
    SiteCookies,
    Viewers,
    Visits,
    { provide: APP_GUARD, useClass: FormsGuard },
  ],
  exports: [WebsiteConfig, ApiClients, FormTokens, SiteCookies, Viewers, Visits],
})
export class VisitsModule {}
