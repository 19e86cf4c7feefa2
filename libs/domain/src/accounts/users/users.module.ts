import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OutboxModule } from '@vitrine/outbox';
import { CountersModule } from '@vitrine/counters';
import { AccountStatesModule } from '../states/account-states.module';
import { FeedsModule } from '../../posts/feeds/feeds.module';
import { IdentityProvidersModule } from '../../sign-in/providers/identity-providers.module';
import { MailsModule } from '../../outgoing/mails/mails.module';
import { ProofOfWorkModule } from '../../sign-in/proof-of-work/proof-of-work.module';
import { QuotasModule } from '../quotas/quotas.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { provideConfig } from '@vitrine/runtime';
import { NotificationsModule } from '../../community/notifications/notifications.module';
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
import { PasswordHasher } from './password-hasher';
import { UserEntity } from './user.entity';
import { UserRepository } from './user.repository';
import { UsersService } from './users.service';

/** Accounts and guests. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity]),
    AccountStatesModule,
    CountersModule,
    FeedsModule,
    IdentityProvidersModule,
    MailsModule,
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
    UsersService,
    AccountNotices,
    EmailAddresses,
    EmailRepository,
    GuestRepository,
    GuestsService,
    PasswordHasher,
    FollowCountsRepository,
    FollowCountsService,
  ],
  exports: [
    AccountMetrics,
    AccountPasswords,
    UsersService,
    AccountNotices,
    EmailAddresses,
    MembersService,
    GuestsService,
    GuestUploadsConfig,
    PasswordHasher,
    FollowCountsService,
  ],
})
export class UsersModule {}
