import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { RanksModule } from '../feeds/ranks.module';
import { PostMediaRepository } from './post-media.repository';
import { PostMediaService } from './post-media.service';
import { PostRowsModule } from './post-rows.module';

/** The media of posts; separate from `PostsModule` because `MediaModule` needs it too. */
@Module({
  imports: [OutboxModule, DecisionLogModule, PostRowsModule, RanksModule],
  providers: [PostMediaRepository, PostMediaService],
  exports: [PostMediaService],
})
export class PostMediaModule {}
