import { Module } from '@nestjs/common';
import { CommentsController } from './comments.controller';

/** Comments on posts. */
@Module({ controllers: [CommentsController] })
export class CommentsModule {}
