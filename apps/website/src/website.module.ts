import { Module } from '@nestjs/common';
import { provideConfig, RuntimeModule } from '@vitrine/runtime';
import { PagesController } from './pages/pages.controller';
import { WebsiteConfig } from './website.config';

@Module({
  imports: [RuntimeModule],
  controllers: [PagesController],
  providers: [provideConfig(WebsiteConfig)],
  exports: [WebsiteConfig],
})
export class WebsiteModule {}
