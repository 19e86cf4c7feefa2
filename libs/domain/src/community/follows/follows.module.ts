import { Module } from '@nestjs/common';
import { OutboxModule } from '@vitrine/outbox';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelationsModule } from '../relations/relations.module';
import { UsersModule } from '../../accounts/users/users.module';
import { FollowRepository } from './follow.repository';
import { FollowsService } from './follows.service';

/** Who follows whom. */
@Module({
  imports: [AuthorsModule, NotificationsModule, RelationsModule, UsersModule, OutboxModule],
  providers: [FollowRepository, FollowsService],
  exports: [FollowsService],
})
export class FollowsModule {}
