import { Module } from '@nestjs/common';
import { CountersModule } from '@vitrine/counters';
import { provideConfig } from '@vitrine/runtime';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { PasswordsModule } from '../../sign-in/passwords/passwords.module';
import { ProofOfWorkModule } from '../../sign-in/proof-of-work/proof-of-work.module';
import { IdentityProvidersModule } from '../../sign-in/providers/identity-providers.module';
import { TokensModule } from '../../sign-in/tokens/tokens.module';
import { UsersModule } from '../users/users.module';
import { AccountCreation, RegistrationCounts } from './account-creation.service';
import { AdmissionConfig } from './admission.config';
import { AdmissionService } from './admission.service';
import { ApplicationRepository } from './application.repository';
import { ApplicationsService } from './applications.service';
import { InviteRepository } from './invite.repository';
import { InvitesService } from './invites.service';
import { RegistrationService } from './registration.service';

/** Who may register, and registration: open, with invites or with applications. */
@Module({
  imports: [
    AuditLogModule,
    CountersModule,
    DecisionLogModule,
    IdentityProvidersModule,
    PasswordsModule,
    ProofOfWorkModule,
    TokensModule,
    UsersModule,
  ],
  providers: [
    provideConfig(AdmissionConfig),
    AccountCreation,
    AdmissionService,
    ApplicationRepository,
    ApplicationsService,
    InviteRepository,
    InvitesService,
    RegistrationCounts,
    RegistrationService,
  ],
  exports: [AccountCreation, AdmissionService, ApplicationsService, InvitesService, RegistrationService],
})
export class AdmissionModule {}
