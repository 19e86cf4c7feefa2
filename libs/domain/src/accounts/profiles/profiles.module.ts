import { Module } from '@nestjs/common';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { FollowsModule } from '../../community/follows/follows.module';
import { RelationsModule } from '../../community/relations/relations.module';
import { ProfileRepository } from './profile.repository';
import { ProfilesService } from './profiles.service';

/** Users as others see them; separate from `UsersModule` because it needs follows. */
@Module({
  imports: [FeedsModule, FollowsModule, RelationsModule],
  providers: [ProfileRepository, ProfilesService],
  exports: [ProfilesService],
})
export class ProfilesModule {}
