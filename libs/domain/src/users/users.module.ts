import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/outbox';
import { CountersModule } from '@vitrine/counters';
import { AccountStatesModule } from '../account-states/account-states.module';
import { AuditLogModule } from '../audit/audit-log.module';
import { AdmissionModule } from '../admission/admission.module';
import { FeedsModule } from '../feeds/feeds.module';
import { MediaModule } from '../media/media.module';
import { TokensModule } from '../tokens/tokens.module';
import { WebhooksModule } from '../webhooks/webhooks.module';
import { provideConfig } from '@vitrine/runtime';
import { NotificationsModule } from '../notifications/notifications.module';
import { AccountMetrics } from './account-metrics';
import { AccountsConfig } from './accounts.config';
import { MemberRepository } from './member.repository';
import { MembersService } from './members.service';
import { FollowCountsRepository } from './follow-counts.repository';
import { FollowCountsService } from './follow-counts.service';
import { GuestRepository } from './guest.repository';
import { GuestsService } from './guests.service';
import { LoginsService } from './logins.service';
import { AccountNotices } from './account-notices.service';
import { ReauthenticationService } from './reauthentication.service';
import { LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { RegistrationCountRepository } from './registration-count.repository';
import { UserEntity } from './user.entity';
import { UserRepository } from './user.repository';
import { UsersService } from './users.service';

/** Accounts and guests. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity]),
    AccountStatesModule,
    AdmissionModule,
    AuditLogModule,
    CountersModule,
    FeedsModule,
    MediaModule,
    NotificationsModule,
    OutboxModule,
    TokensModule,
    WebhooksModule,
  ],
  providers: [
    provideConfig(AccountsConfig),
    AccountMetrics,
    RegistrationCountRepository,
    MemberRepository,
    MembersService,
    UserRepository,
    UsersService,
    LoginsService,
    ReauthenticationService,
    AccountNotices,
    GuestRepository,
    GuestsService,
    PasswordHasher,
    LoginThrottle,
    FollowCountsRepository,
    FollowCountsService,
  ],
  exports: [
    UsersService,
    LoginsService,
    ReauthenticationService,
    AccountNotices,
    MembersService,
    GuestsService,
    FollowCountsService,
  ],
})
export class UsersModule {}
