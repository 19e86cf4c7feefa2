import { Global, Module } from '@nestjs/common';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { HttpConfig } from './http.config';

/** Configuration that every feature of a public host may inject. */
@Global()
@Module({
  providers: [provideConfig(HttpConfig), provideConfig(PublicUrlsConfig)],
  exports: [HttpConfig, PublicUrlsConfig],
})
export class SharedConfigModule {}
