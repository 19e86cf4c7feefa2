import { Controller } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { MessageResource } from '@vitrine/contracts/api';
import { type Caller, EmailAddresses, MailAvailability } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost } from '@vitrine/http';
import { Answers } from '../openapi/answers';

@ApiTags('me')
@Controller(`${API_PREFIX}/me/email`)
export class EmailController {
  constructor(
    private readonly emails: EmailAddresses,
    private readonly mail: MailAvailability,
  ) {}

  @IdempotentPost('verification')
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'sendEmailVerification',
    summary: 'Send the link to verify your email address again',
    description:
      'Earlier links stay valid for their 24 hours. If there is no address to verify, the response is 422 with an error on `email`. After three links to an address in an hour, the response is 429. If the site sends no mails, it is 403.',
  })
  @ApiResponse({ status: 403 })
  @Answers(202, MessageResource, 'The link will be sent.')
  async send(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    this.mail.assertSendsMail();
    await this.emails.sendLinkAgain(caller);
    return { message: 'The link will be sent.' };
  }
}
