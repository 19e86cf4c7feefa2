import { Module } from '@nestjs/common';
import { CommentsModule } from '@vitrine/domain';
import { CommentVotesController } from './comment-votes.controller';

@Module({ imports: [CommentsModule], controllers: [CommentVotesController] })
export class VotesModule {}
