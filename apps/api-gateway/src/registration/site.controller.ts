import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SiteResource } from '@vitrine/contracts/api';
import {
  AdmissionService,
  IdentityProviders,
  MailAvailability,
  ProofOfWorkService,
  UrlUploadsConfig,
} from '@vitrine/domain';
import { presentSite } from './admission.presenter';
import { API_PREFIX, Public } from '@vitrine/http';
import { AnswersData } from '../openapi/answers';

@ApiTags('auth')
@Controller(`${API_PREFIX}/site`)
export class SiteController {
  constructor(
    private readonly admission: AdmissionService,
    private readonly proofs: ProofOfWorkService,
    private readonly providers: IdentityProviders,
    private readonly mail: MailAvailability,
    private readonly urlUploads: UrlUploadsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getSite',
    summary: 'Get the rules of this site',
    description:
      'Who can register, who can create invites, whether visitors can upload without an account, whether new accounts and guests need a proof of work, how people log in, and whether the site sends mails.',
  })
  @AnswersData(SiteResource, 'The rules.')
  show(): { data: SiteResource } {
    return {
      data: presentSite(this.admission.rules(), {
        upload_by_url: this.urlUploads.uploadByUrl,
        proof_of_work: this.proofs.isRequired,
        password_login: this.providers.passwordLogin,
        providers: this.providers.list(),
        sends_mail: this.mail.sendsMail,
      }),
    };
  }
}
