import { Module } from '@nestjs/common';
import { CommentsModule, PostsModule } from '@vitrine/domain';
import { commentVotesController } from './comment-votes.controller';
import { postVotesController } from './post-votes.controller';

@Module({
  imports: [PostsModule, CommentsModule],
  controllers: [
    postVotesController('upvote'),
    postVotesController('downvote'),
    commentVotesController('upvote'),
    commentVotesController('downvote'),
  ],
})
export class VotesModule {}
