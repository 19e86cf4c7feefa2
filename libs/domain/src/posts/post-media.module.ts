import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/messaging';
import { DecisionLogModule } from '../moderation/decision-log.module';
import { PostMediaRepository } from './post-media.repository';
import { PostMediaService } from './post-media.service';

/** The media of posts; apart from the posts' own module because media ask for it too. */
@Module({
  imports: [OutboxModule, DecisionLogModule],
  providers: [PostMediaRepository, PostMediaService],
  exports: [PostMediaService],
})
export class PostMediaModule {}
