import { Module } from '@nestjs/common';
import { BusReportModule } from '@vitrine/outbox';
import { AccountRulingsModule } from '../rulings/account-rulings.module';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { AccountDeletionModule } from '../deletion/account-deletion.module';
import { AccountErasureModule } from '../deletion/account-erasure.module';
import { FactorsModule } from '../../sign-in/factors/factors.module';
import { MediaModule } from '../../media/items/media.module';
import { PasswordsModule } from '../../sign-in/passwords/passwords.module';
import { QuotasModule } from '../quotas/quotas.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { AccountAdministration } from './account-administration.service';
import { AdminActions } from './admin-actions.service';
import { PeopleRepository } from './people.repository';
import { PeopleService } from './people.service';
import { PersonAccess } from './person-access.service';
import { WorkRepository } from './work.repository';
import { WorkService } from './work.service';
import { IdentityProvidersModule } from '../../sign-in/providers/identity-providers.module';

/** What admins do with accounts, and see of the work of the processes. */
@Module({
  imports: [
    AccountDeletionModule,
    AccountErasureModule,
    AccountRulingsModule,
    AuditLogModule,
    BusReportModule,
    FactorsModule,
    IdentityProvidersModule,
    MediaModule,
    PasswordsModule,
    QuotasModule,
    TokensModule,
    UsersModule,
  ],
  providers: [
    AccountAdministration,
    AdminActions,
    PeopleRepository,
    PeopleService,
    PersonAccess,
    WorkRepository,
    WorkService,
  ],
  exports: [AccountAdministration, PeopleService, PersonAccess, WorkService],
})
export class AdministrationModule {}
