import { Module } from '@nestjs/common';
import { CommentsModule as DomainCommentsModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { CommentsController } from './comments.controller';

@Module({
  imports: [DomainCommentsModule],
  controllers: [CommentsController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class CommentsModule {}
