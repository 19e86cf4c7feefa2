import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AccountResource,
  AccountUpdatedResource,
  ChangePasswordRequest,
  DeleteMeRequest,
  MessageResource,
  UpdateMeRequest,
} from '@vitrine/contracts';
import { AccountErasure, type AccountView, type Caller, presentAccount, UsersService } from '@vitrine/domain';
import { Answers, AnswersData, API_PREFIX, Authenticated, CurrentCaller } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

@ApiTags('me')
@Controller(`${API_PREFIX}/me`)
export class MeController {
  constructor(
    private readonly users: UsersService,
    private readonly erasure: AccountErasure,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Authenticated({ scope: 'read' })
  @ApiOperation({ operationId: 'getMe', summary: 'One’s own account' })
  @AnswersData(AccountResource, 'The account.')
  async show(@CurrentCaller() caller: Caller): Promise<{ data: AccountResource }> {
    return this.present(await this.users.findAccount(caller.userId));
  }

  @Patch()
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'updateMe',
    summary: 'Change one’s own profile',
    description:
      'Omitted fields stay unchanged; `null` clears a field. A change of `email` needs `current_password`.',
  })
  @Answers(200, AccountUpdatedResource, 'The profile as it is now.')
  async update(
    @CurrentCaller() caller: Caller,
    @Body() body: UpdateMeRequest,
  ): Promise<AccountUpdatedResource> {
    const { current_password: currentPassword, ...changes } = body;
    const account = await this.users.updateProfile(caller, { ...changes, currentPassword });
    return { message: 'Profile updated.', ...this.present(account) };
  }

  @Post('password')
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change the password',
    description: 'Ends all other sessions and, unless `keep_tokens` is true, all API tokens.',
  })
  @Answers(200, MessageResource, 'The password is changed.')
  async changePassword(
    @CurrentCaller() caller: Caller,
    @Body() body: ChangePasswordRequest,
  ): Promise<MessageResource> {
    const { current_password: current, password, keep_tokens: keepTokens = false } = body;
    await this.users.changePassword(caller, current, password, keepTokens);
    return { message: 'Password changed.' };
  }

  @Delete()
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'deleteMe',
    summary: 'Delete one’s own account',
    description:
      'With its posts, media and their files, comments, votes, follows and tokens. The username isn’t free again.',
  })
  @Answers(
    200,
    MessageResource,
    'The account is deleted; the last of what it had made may take a while to go.',
  )
  async remove(
    @CurrentCaller() caller: Caller,
    @Body() { password }: DeleteMeRequest,
  ): Promise<MessageResource> {
    await this.erasure.deleteAccount(caller, password);
    return { message: 'Account deleted.' };
  }

  private present(account: AccountView): { data: AccountResource } {
    return { data: presentAccount(account, this.urls) };
  }
}
