import { Module } from '@nestjs/common';
import { PostsModule as DomainPostsModule } from '@vitrine/domain';
import { PostMediaController } from './post-media.controller';
import { PostsController } from './posts.controller';

@Module({
  imports: [DomainPostsModule],
  controllers: [PostsController, PostMediaController],
})
export class PostsModule {}
