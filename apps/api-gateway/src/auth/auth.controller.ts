import { Body, Controller, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  ApplyRequest,
  LoginRequest,
  MessageResource,
  RegisterRequest,
  SessionResource,
} from '@vitrine/contracts/api';
import {
  type Caller,
  LoginsService,
  type OpenedSession,
  presentAccount,
  RegistrationService,
  TokensService,
} from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAccess,
  CurrentAgent,
  CurrentCaller,
  IdempotentPost,
  Public,
  type RequestAccess,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers } from '../openapi/answers';
import { deviceName } from '../sessions/device-name';

@ApiTags('auth')
@Controller(`${API_PREFIX}/auth`)
export class AuthController {
  constructor(
    private readonly logins: LoginsService,
    private readonly registration: RegistrationService,
    private readonly tokens: TokensService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('register')
  @Public()
  @ApiOperation({
    operationId: 'register',
    summary: 'Create an account',
    description:
      'Who can register depends on the site (`GET /site`). If `registration` is `invite`, `invite` is required. If it is `approval`, the response without an `invite` is 403, and `POST /auth/apply` is the other way. If it is `closed`, the response is 403. The number of accounts that one IP address can create in a day is limited; above the limit the response is 429.',
  })
  @ApiResponse({ status: 403 })
  @Answers(201, SessionResource, 'The account is created and its first session is open.')
  async register(
    @Body() { invite = null, ...account }: RegisterRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResource> {
    const opened = await this.registration.register(account, invite, clientKey, deviceName(agent));
    response.set('Location', `${this.urls.api}/me`);
    return this.present('Account created.', opened);
  }

  @IdempotentPost('apply')
  @Public()
  @ApiOperation({
    operationId: 'applyForAccount',
    summary: 'Apply for an account',
    description:
      'Only while `registration` of `GET /site` is `approval`; otherwise the response is 403. Once staff has accepted the application, the account can log in. If they decline it, the username is free again.',
  })
  @ApiResponse({ status: 403 })
  @Answers(202, MessageResource, 'The application waits for a decision.')
  async apply(
    @Body() { application, ...account }: ApplyRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
  ): Promise<MessageResource> {
    await this.registration.apply(account, application, clientKey);
    return { message: 'Your application waits for a decision. You can log in once it is accepted.' };
  }

  @IdempotentPost('login')
  @Public()
  @ApiOperation({
    operationId: 'login',
    summary: 'Log in',
    description:
      '`login` is the username or the verified email address. Every failure gives the same response: 422 with an error on `login`. Only with the right password of a suspended account does the error give the reason and the end. After too many failures the response is 429.',
  })
  @Answers(200, SessionResource, 'The session is open.')
  async login(
    @Body() { login, password }: LoginRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
  ): Promise<SessionResource> {
    const opened = await this.logins.login(login, password, {
      client: clientKey,
      device: deviceName(agent),
    });
    return this.present('Logged in.', opened);
  }

  @IdempotentPost('logout')
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'logout',
    summary: 'Log out',
    description:
      'Ends the session of this request. The other sessions and the API tokens of the account stay valid.',
  })
  @Answers(200, MessageResource, 'The session has ended; its token no longer works.')
  async logout(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.tokens.revokeCurrent(caller);
    return { message: 'Logged out.' };
  }

  private present(message: string, { account, secret, expiresAt }: OpenedSession): SessionResource {
    return {
      message,
      user: presentAccount(account, this.urls),
      session: secret,
      expires_at: expiresAt.toISOString(),
    };
  }
}
