import { Body, Controller, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { LoginRequest, MessageResource, RegisterRequest, SessionResource } from '@vitrine/contracts/api';
import {
  type Caller,
  type OpenedSession,
  presentAccount,
  TokensService,
  UsersService,
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
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('register')
  @Public()
  @ApiOperation({
    operationId: 'register',
    summary: 'Create an account',
    description:
      'The number of accounts that one IP address can create in a day is limited; above the limit the response is 429.',
  })
  @Answers(201, SessionResource, 'The account is created and its first session is open.')
  async register(
    @Body() body: RegisterRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResource> {
    const opened = await this.users.register(body, clientKey, deviceName(agent));
    response.set('Location', `${this.urls.api}/me`);
    return this.present('Account created.', opened);
  }

  @IdempotentPost('login')
  @Public()
  @ApiOperation({
    operationId: 'login',
    summary: 'Log in',
    description:
      'Every failure gives the same response: 422 with an error on `login`. Only with the right password of a suspended account does the error give the reason and the end. After too many failures the response is 429.',
  })
  @Answers(200, SessionResource, 'The session is open.')
  async login(
    @Body() { login, password }: LoginRequest,
    @CurrentAccess() { clientKey }: RequestAccess,
    @CurrentAgent() agent: string | null,
  ): Promise<SessionResource> {
    const opened = await this.users.login(login, password, clientKey, deviceName(agent));
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
