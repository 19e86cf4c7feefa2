import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  LoginRequest,
  type MessageResource,
  RegisterRequest,
  type SessionResource,
} from '@vitrine/contracts';
import {
  type Caller,
  type OpenedSession,
  presentAccount,
  TokensService,
  UsersService,
} from '@vitrine/domain';
import {
  type Admission,
  API_PREFIX,
  Authenticated,
  CurrentAdmission,
  CurrentCaller,
  Public,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

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
  async register(@Body() body: RegisterRequest): Promise<SessionResource> {
    return this.present('Account created.', await this.users.register(body));
  }

  @Post('login')
  @HttpCode(200)
  @Public()
  async login(
    @Body() { login, password }: LoginRequest,
    @CurrentAdmission() { addressBucket }: Admission,
  ): Promise<SessionResource> {
    return this.present('Logged in.', await this.users.login(login, password, addressBucket));
  }

  @Post('logout')
  @HttpCode(200)
  @Authenticated({ session: true })
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
