import { Module } from '@nestjs/common';
import { CollectionsModule, PostsModule as DomainPostsModule, PostsService } from '@vitrine/domain';
import { provideSweep } from '@vitrine/runtime';
import { PostMediaController } from './post-media.controller';
import { PostsController } from './posts.controller';

@Module({
  imports: [CollectionsModule, DomainPostsModule],
  controllers: [PostsController, PostMediaController],
  providers: [
    provideSweep('old statistics of posts', PostsService, async (posts, mayContinue) => ({
      removed: await posts.removeOldStatistics(mayContinue),
    })),
  ],
})
export class PostsModule {}
