import { Module } from '@nestjs/common';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { FollowsModule } from '../../community/follows/follows.module';
import { MediaModule } from '../../media/items/media.module';
import { RelationsModule } from '../../community/relations/relations.module';
import { FactorsModule } from '../../sign-in/factors/factors.module';
import { UsersModule } from '../users/users.module';
import { AuthorsModule } from '../authors/authors.module';
import { PeopleSearch } from './people-search';
import { ProfileEditing } from './profile-editing.service';
import { ProfileRepository } from './profile.repository';
import { ProfilesService } from './profiles.service';

/** Profiles: users as others see them, and the changes that they make. */
@Module({
  imports: [
    AuthorsModule,
    FactorsModule,
    FeedsModule,
    FollowsModule,
    MediaModule,
    RelationsModule,
    UsersModule,
  ],
  providers: [PeopleSearch, ProfileEditing, ProfileRepository, ProfilesService],
  exports: [PeopleSearch, ProfileEditing, ProfilesService],
})
export class ProfilesModule {}
