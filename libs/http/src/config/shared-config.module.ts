import { Global, Module } from '@nestjs/common';
import { provideConfig, PublicUrlsModule } from '@vitrine/runtime';
import { HttpConfig } from './http.config';

/** Configuration that every feature of a public host may inject. */
@Global()
@Module({
  imports: [PublicUrlsModule],
  providers: [provideConfig(HttpConfig)],
  exports: [HttpConfig, PublicUrlsModule],
})
export class SharedConfigModule {}
