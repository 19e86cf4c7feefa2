import { Module } from '@nestjs/common';
import { CommentsModule, PostsModule } from '@vitrine/domain';
import { CommentVotesController } from './comment-votes.controller';
import { PostVotesController } from './post-votes.controller';

@Module({
  imports: [PostsModule, CommentsModule],
  controllers: [PostVotesController, CommentVotesController],
})
export class VotesModule {}
