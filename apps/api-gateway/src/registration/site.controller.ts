import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { SiteResource } from '@vitrine/contracts/api';
import { AdmissionService, MailAvailability, presentSite } from '@vitrine/domain';
import { API_PREFIX, Public } from '@vitrine/http';
import { AnswersData } from '../openapi/answers';

@ApiTags('auth')
@Controller(`${API_PREFIX}/site`)
export class SiteController {
  constructor(
    private readonly admission: AdmissionService,
    private readonly mail: MailAvailability,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getSite',
    summary: 'Get the rules of this site',
    description:
      'Who can register, who can create invites, whether visitors can upload without an account, and whether the site sends mails.',
  })
  @AnswersData(SiteResource, 'The rules.')
  show(): { data: SiteResource } {
    return { data: presentSite(this.admission.rules(), this.mail.sendsMail) };
  }
}
