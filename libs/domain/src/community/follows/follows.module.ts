import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelationsModule } from '../relations/relations.module';
import { UsersModule } from '../../accounts/users/users.module';
import { TagsModule } from '../../posts/tags/tags.module';
import { FollowRepository } from './follow.repository';
import { FollowsService } from './follows.service';
import { TagFollowRepository } from './tag-follow.repository';
import { TagFollowsService } from './tag-follows.service';

/** Who follows whom, and which tags. */
@Module({
  imports: [AuthorsModule, NotificationsModule, RelationsModule, UsersModule, TagsModule, OutboxModule],
  providers: [FollowRepository, FollowsService, TagFollowRepository, TagFollowsService],
  exports: [FollowsService, TagFollowsService],
})
export class FollowsModule {}
