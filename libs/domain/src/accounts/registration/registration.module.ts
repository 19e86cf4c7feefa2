import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { ProofOfWorkModule } from '../../sign-in/proof-of-work/proof-of-work.module';
import { IdentityProvidersModule } from '../../sign-in/providers/identity-providers.module';
import { UsersModule } from '../users/users.module';
import { ApplicationsService } from './applications.service';
import { RegistrationService } from './registration.service';

/** Registration, and the decisions of staff on applications. */
@Module({
  imports: [AdmissionModule, DecisionLogModule, IdentityProvidersModule, ProofOfWorkModule, UsersModule],
  providers: [ApplicationsService, RegistrationService],
  exports: [ApplicationsService, RegistrationService],
})
export class RegistrationModule {}
