import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/messaging';
import { CountersModule } from '../counters/counters.module';
import { FeedsModule } from '../feeds/feeds.module';
import { MediaModule } from '../media/media.module';
import { TokensModule } from '../tokens/tokens.module';
import { provideConfig } from '@vitrine/runtime';
import { AccountMetrics } from './account-metrics';
import { AccountsConfig } from './accounts.config';
import { FollowCountsRepository } from './follow-counts.repository';
import { FollowCountsService } from './follow-counts.service';
import { GuestRepository } from './guests/guest.repository';
import { GuestsService } from './guests/guests.service';
import { LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { RegistrationCountRepository } from './registration-count.repository';
import { UserEntity } from './user.entity';
import { UserRepository } from './user.repository';
import { UsersService } from './users.service';

/** Accounts, guests' among them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity]),
    CountersModule,
    FeedsModule,
    MediaModule,
    OutboxModule,
    TokensModule,
  ],
  providers: [
    provideConfig(AccountsConfig),
    AccountMetrics,
    RegistrationCountRepository,
    UserRepository,
    UsersService,
    GuestRepository,
    GuestsService,
    PasswordHasher,
    LoginThrottle,
    FollowCountsRepository,
    FollowCountsService,
  ],
  exports: [UsersService, GuestsService, FollowCountsService],
})
export class UsersModule {}
