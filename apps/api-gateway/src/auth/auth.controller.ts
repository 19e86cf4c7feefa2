import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { LoginRequest, MessageResource, RegisterRequest, SessionResource } from '@vitrine/contracts';
import {
  type Caller,
  type OpenedSession,
  presentAccount,
  TokensService,
  UsersService,
} from '@vitrine/domain';
import {
  type Admission,
  Answers,
  API_PREFIX,
  Authenticated,
  CurrentAdmission,
  CurrentAgent,
  CurrentCaller,
  Public,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { deviceName } from '../sessions/device-name';

@ApiTags('auth')
@Controller(`${API_PREFIX}/auth`)
export class AuthController {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Post('register')
  @Public()
  @ApiOperation({
    operationId: 'register',
    summary: 'Open an account',
    description: 'One address can open a limited number of accounts a day; then the answer is 429.',
  })
  @Answers(201, SessionResource, 'The account is open, and a session with it.')
  async register(
    @Body() body: RegisterRequest,
    @CurrentAdmission() { addressBucket }: Admission,
    @CurrentAgent() agent: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResource> {
    const opened = await this.users.register(body, addressBucket, deviceName(agent));
    response.set('Location', `${this.urls.api}/me`);
    return this.present('Account created.', opened);
  }

  @Post('login')
  @Public()
  @ApiOperation({
    operationId: 'login',
    summary: 'Open a session',
    description: 'One answer for every failure, 422 on `login`; too many failures are slowed by 429.',
  })
  @Answers(200, SessionResource, 'The session is open.')
  async login(
    @Body() { login, password }: LoginRequest,
    @CurrentAdmission() { addressBucket }: Admission,
    @CurrentAgent() agent: string | null,
  ): Promise<SessionResource> {
    const opened = await this.users.login(login, password, addressBucket, deviceName(agent));
    return this.present('Logged in.', opened);
  }

  @Post('logout')
  @Authenticated({ session: true })
  @ApiOperation({ operationId: 'logout', summary: 'End the session' })
  @Answers(200, MessageResource, 'The session is over, at once.')
  async logout(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.tokens.closeSession(caller);
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
