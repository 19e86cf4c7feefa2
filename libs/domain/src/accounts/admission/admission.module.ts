import { Module } from '@nestjs/common';
import { provideConfig } from '@vitrine/runtime';
import { AuditLogModule } from '../../base/audit/audit-log.module';
import { AdmissionConfig } from './admission.config';
import { AdmissionService } from './admission.service';
import { ApplicationRepository } from './application.repository';
import { InviteRepository } from './invite.repository';
import { InvitesService } from './invites.service';

/** Who may register; separate from `UsersModule` so that accounts only ask it. */
@Module({
  imports: [AuditLogModule],
  providers: [
    provideConfig(AdmissionConfig),
    AdmissionService,
    ApplicationRepository,
    InviteRepository,
    InvitesService,
  ],
  exports: [AdmissionService, InvitesService],
})
export class AdmissionModule {}
