import { Module } from '@nestjs/common';
import { CommentsModule as DomainCommentsModule } from '@vitrine/domain';
import { CommentsController } from './comments.controller';

@Module({
  imports: [DomainCommentsModule],
  controllers: [CommentsController],
})
export class CommentsModule {}
