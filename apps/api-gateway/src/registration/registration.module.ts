import { Module } from '@nestjs/common';
import {
  AdmissionModule,
  IdentityProvidersModule,
  MailDeliveryModule,
  OutgoingModule,
  ProofOfWorkModule,
} from '@vitrine/domain';
import { ApplicationsController } from './applications.controller';
import { InvitesController } from './invites.controller';
import { SiteController } from './site.controller';

/** Who may register: the rules of the site, invites and applications. */
@Module({
  imports: [AdmissionModule, IdentityProvidersModule, MailDeliveryModule, OutgoingModule, ProofOfWorkModule],
  controllers: [SiteController, InvitesController, ApplicationsController],
})
export class RegistrationModule {}
