import { Body, Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type AccountResource,
  ChangePasswordRequest,
  type MessageResource,
  UpdateMeRequest,
} from '@vitrine/contracts';
import { type AccountView, type Caller, presentAccount, UsersService } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

@ApiTags('me')
@Controller(`${API_PREFIX}/me`)
export class MeController {
  constructor(
    private readonly users: UsersService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Authenticated({ scope: 'read' })
  async show(@CurrentCaller() caller: Caller): Promise<{ data: AccountResource }> {
    return this.present(await this.users.findAccount(caller.userId));
  }

  @Patch()
  @Authenticated({ scope: 'write' })
  async update(
    @CurrentCaller() caller: Caller,
    @Body() body: UpdateMeRequest,
  ): Promise<MessageResource & { data: AccountResource }> {
    return { message: 'Profile updated.', ...this.present(await this.users.updateProfile(caller, body)) };
  }

  @Post('password')
  @HttpCode(200)
  @Authenticated({ session: true })
  async changePassword(
    @CurrentCaller() caller: Caller,
    @Body() body: ChangePasswordRequest,
  ): Promise<MessageResource> {
    await this.users.changePassword(caller, body.current_password, body.password);
    return { message: 'Password changed.' };
  }

  private present(account: AccountView): { data: AccountResource } {
    return { data: presentAccount(account, this.urls) };
  }
}
