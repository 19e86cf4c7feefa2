import { Module } from '@nestjs/common';
import { PostsModule as DomainPostsModule } from '@vitrine/domain';
import { provideConfig, PublicUrlsConfig } from '@vitrine/runtime';
import { PostMediaController } from './post-media.controller';
import { PostsController } from './posts.controller';

@Module({
  imports: [DomainPostsModule],
  controllers: [PostsController, PostMediaController],
  providers: [provideConfig(PublicUrlsConfig)],
})
export class PostsModule {}
