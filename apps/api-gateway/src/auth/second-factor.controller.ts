import { Body, Controller } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CompleteLoginRequest,
  PasskeyLoginRequest,
  PasskeyOptionsResource,
  PendingLoginRequest,
  SessionResource,
} from '@vitrine/contracts/api';
import { InvalidFieldsError, LoginsService } from '@vitrine/domain';
import {
  API_PREFIX,
  CurrentAccess,
  CurrentAgent,
  IdempotentPost,
  Public,
  type RequestAccess,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers } from '../openapi/answers';
import { deviceName } from './device-name';
import { presentSession } from './login-answer';
import { readAssertion } from '../proofs/proof-bodies';

@ApiTags('auth')
@Controller(`${API_PREFIX}/auth`)
@Public()
export class SecondFactorController {
  constructor(
    private readonly logins: LoginsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('second-factor')
  @ApiOperation({
    operationId: 'completeLogin',
    summary: 'Complete a login with the second factor',
    description:
      'Send `pending_login` of the login’s 202 response with `code`, or with the four fields of a passkey. A code of the authenticator app works once, and so does a recovery code. A login ends after five wrong second factors; after too many of them for one account the response is 429.',
  })
  @Answers(200, SessionResource, 'The session is open.')
  async complete(
    @Body() body: CompleteLoginRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
  ): Promise<SessionResource> {
    const { pending_login: pendingLogin, code, device: deviceToken } = body;
    const passkey = readAssertion(body);
    if (code === undefined && !passkey)
      throw new InvalidFieldsError({ code: ['The code field is required.'] });
    const opened = await this.logins.complete(pendingLogin, passkey ? { passkey } : { code: code ?? '' }, {
      client: clientKey,
      device: deviceName(agent),
      deviceToken,
    });
    return presentSession('Logged in.', opened, this.urls);
  }

  @IdempotentPost('second-factor/passkey-options')
  @ApiOperation({
    operationId: 'getSecondFactorOptions',
    summary: 'Get the options to complete a login with a passkey',
    description: 'They name the passkeys of the account whose login is pending.',
  })
  @Answers(200, PasskeyOptionsResource, 'The options for the browser.')
  async secondFactorOptions(
    @Body() { pending_login: pendingLogin }: PendingLoginRequest,
  ): Promise<PasskeyOptionsResource> {
    return { options: await this.logins.secondFactorOptions(pendingLogin) };
  }

  @IdempotentPost('passkey-options')
  @ApiOperation({
    operationId: 'getPasskeyLoginOptions',
    summary: 'Get the options to log in with a passkey',
    description: 'The browser offers its user the passkeys that it has for this site.',
  })
  @Answers(200, PasskeyOptionsResource, 'The options for the browser.')
  async passkeyOptions(): Promise<PasskeyOptionsResource> {
    return { options: await this.logins.passkeyOptions() };
  }

  @IdempotentPost('passkey')
  @ApiOperation({
    operationId: 'loginWithPasskey',
    summary: 'Log in with a passkey',
    description:
      'A passkey verifies its user, so no second factor is required. If the counter of a passkey shows that it was copied, the passkey is refused and no longer works.',
  })
  @Answers(200, SessionResource, 'The session is open.')
  async logInWithPasskey(
    @Body() body: PasskeyLoginRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
  ): Promise<SessionResource> {
    const passkey = readAssertion(body);
    if (!passkey) throw new InvalidFieldsError({ passkey_id: ['The passkey_id field is required.'] });
    const opened = await this.logins.loginByPasskey(passkey, {
      client: clientKey,
      device: deviceName(agent),
      deviceToken: body.device,
    });
    return presentSession('Logged in.', opened, this.urls);
  }
}
