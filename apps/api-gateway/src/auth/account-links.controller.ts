import { Body, Controller } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  CompletePasswordResetRequest,
  MessageResource,
  PasswordResetRequest,
  VerifyEmailRequest,
} from '@vitrine/contracts/api';
import { EmailAddresses, MailAvailability, PasswordChanges, ResetLinks } from '@vitrine/domain';
import { API_PREFIX, IdempotentPost, Public, ThrottleRequests } from '@vitrine/http';
import { Answers } from '../openapi/answers';

/** Requests of one client for a new password. */
const RESET_REQUESTS = { limit: 10, ttl: 60 * 60_000 };

/** What people do with the links in mails; they need no session. */
@ApiTags('auth')
@Controller(`${API_PREFIX}/auth`)
export class AccountLinksController {
  constructor(
    private readonly passwords: PasswordChanges,
    private readonly resetLinks: ResetLinks,
    private readonly emails: EmailAddresses,
    private readonly mail: MailAvailability,
  ) {}

  @IdempotentPost('password-reset')
  @Public()
  @ThrottleRequests(RESET_REQUESTS)
  @ApiOperation({
    operationId: 'requestPasswordReset',
    summary: 'Request a link to set a new password',
    description:
      'If there is an account with this username or verified email address, a link is sent to its verified address, at most three times in an hour. The response is the same for known and unknown accounts. For an account without a verified address, the operator must create the link. If `sends_mail` of `GET /site` is false, the response is 403; after too many requests it is 429.',
  })
  @ApiResponse({ status: 403 })
  @Answers(
    202,
    MessageResource,
    'The request is accepted. The link, if there is one, is valid for 30 minutes.',
  )
  async request(@Body() { login }: PasswordResetRequest): Promise<MessageResource> {
    this.mail.assertSendsMail();
    await this.resetLinks.request(login);
    return {
      message: 'If there is an account with a verified email address, a link was sent to that address.',
    };
  }

  @IdempotentPost('password-reset/complete')
  @Public()
  @ApiOperation({
    operationId: 'completePasswordReset',
    summary: 'Set a new password with a link',
    description:
      'Ends all sessions, revokes all API tokens and disables all webhooks of the account. A change of the email address that is not verified yet is cancelled. It opens no session: log in with the new password. The link works once; an unknown, expired or used link gives 422 with an error on `code`.',
  })
  @Answers(200, MessageResource, 'The password is set.')
  async complete(@Body() { code, password }: CompletePasswordResetRequest): Promise<MessageResource> {
    await this.passwords.reset(code, password);
    return { message: 'Password set. Log in with it.' };
  }

  @IdempotentPost('verify-email')
  @Public()
  @ApiOperation({
    operationId: 'verifyEmail',
    summary: 'Verify an email address with a link',
    description:
      'From then on, the address receives mails and can be used to log in. The previous address can no longer be used and gets a notice. The link works once, within 24 hours; any other link gives 422 with an error on `code`. If another account has verified the address, the error is on `email`.',
  })
  @Answers(200, MessageResource, 'The address is verified.')
  async verify(@Body() { code }: VerifyEmailRequest): Promise<MessageResource> {
    await this.emails.verify(code);
    return { message: 'Email address verified.' };
  }
}
