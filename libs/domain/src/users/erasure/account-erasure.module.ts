import { Module } from '@nestjs/common';
import { CommentsModule } from '../../comments/comments.module';
import { FollowsModule } from '../../follows/follows.module';
import { MediaModule } from '../../media/media.module';
import { PostsModule } from '../../posts/posts.module';
import { ReportsModule } from '../../reports/reports.module';
import { UsersModule } from '../users.module';
import { AccountErasure } from './account-erasure';

/** The end of accounts; apart from their own module because it reaches all that they can have made. */
@Module({
  imports: [UsersModule, MediaModule, PostsModule, CommentsModule, FollowsModule, ReportsModule],
  providers: [AccountErasure],
  exports: [AccountErasure],
})
export class AccountErasureModule {}
