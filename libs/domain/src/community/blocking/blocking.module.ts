import { Module } from '@nestjs/common';
import { AuthorsModule } from '../../accounts/authors/authors.module';
import { FollowsModule } from '../follows/follows.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelationsModule } from '../relations/relations.module';
import { UsersModule } from '../../accounts/users/users.module';
import { BlockingService } from './blocking.service';

/** Blocking and muting of users. */
@Module({
  imports: [AuthorsModule, FollowsModule, NotificationsModule, RelationsModule, UsersModule],
  providers: [BlockingService],
  exports: [BlockingService],
})
export class BlockingModule {}
