import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/outbox';
import { CountersModule } from '@vitrine/counters';
import { AccountStatesModule } from '../states/account-states.module';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { FactorsModule } from '../../sign-in/factors/factors.module';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { IdentitiesModule } from '../../sign-in/providers/identities.module';
import { IdentityProvidersModule } from '../../sign-in/providers/identity-providers.module';
import { MailsModule } from '../../outgoing/mails/mails.module';
import { MediaModule } from '../../media/items/media.module';
import { ProofOfWorkModule } from '../../sign-in/proof-of-work/proof-of-work.module';
import { QuotasModule } from '../quotas/quotas.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { provideConfig } from '@vitrine/runtime';
import { NotificationsModule } from '../../community/notifications/notifications.module';
import { AccountAdministration } from './account-administration.service';
import { AccountPasswords } from './account-passwords.service';
import { AccountMetrics } from './account-metrics';
import { MemberRepository } from './member.repository';
import { MembersService } from './members.service';
import { FollowCountsRepository } from './follow-counts.repository';
import { FollowCountsService } from './follow-counts.service';
import { GuestUploadsConfig } from './guests.config';
import { GuestRepository } from './guest.repository';
import { GuestsService } from './guests.service';
import { AccountNotices } from './account-notices.service';
import { EmailAddresses } from './email-addresses.service';
import { EmailRepository } from './email.repository';
import { ReauthenticationService } from './reauthentication.service';
import { LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { UserEntity } from './user.entity';
import { UserRepository } from './user.repository';
import { UsersService } from './users.service';

/** Accounts and guests. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity]),
    AccountStatesModule,
    AuditLogModule,
    CountersModule,
    FactorsModule,
    FeedsModule,
    IdentitiesModule,
    IdentityProvidersModule,
    MailsModule,
    MediaModule,
    NotificationsModule,
    OutboxModule,
    ProofOfWorkModule,
    QuotasModule,
    TokensModule,
  ],
  providers: [
    provideConfig(GuestUploadsConfig),
    AccountMetrics,
    AccountPasswords,
    MemberRepository,
    MembersService,
    UserRepository,
    AccountAdministration,
    UsersService,
    ReauthenticationService,
    AccountNotices,
    EmailAddresses,
    EmailRepository,
    GuestRepository,
    GuestsService,
    PasswordHasher,
    LoginThrottle,
    FollowCountsRepository,
    FollowCountsService,
  ],
  exports: [
    AccountMetrics,
    AccountPasswords,
    AccountAdministration,
    UsersService,
    ReauthenticationService,
    AccountNotices,
    EmailAddresses,
    LoginThrottle,
    MembersService,
    GuestsService,
    GuestUploadsConfig,
    PasswordHasher,
    FollowCountsService,
  ],
})
export class UsersModule {}
