import { Body, Controller, Delete, Get, Patch } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  AccountResource,
  AccountUpdatedResource,
  AdoptedResource,
  AdoptGuestRequest,
  ChangePasswordRequest,
  DeleteMeRequest,
  MeResource,
  MessageResource,
  UpdateMeRequest,
} from '@vitrine/contracts/api';
import {
  AccountErasure,
  type AccountView,
  type Caller,
  GuestAdoption,
  NotificationsService,
  PasswordChanges,
  ProfileEditing,
  TokensService,
  UsersService,
} from '@vitrine/domain';
import { presentAccount } from '../auth/user.presenter';
import { presentCurrentToken } from '../security/security.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers } from '../openapi/answers';

@ApiTags('me')
@Controller(`${API_PREFIX}/me`)
export class MeController {
  constructor(
    private readonly users: UsersService,
    private readonly profiles: ProfileEditing,
    private readonly passwords: PasswordChanges,
    private readonly tokens: TokensService,
    private readonly erasure: AccountErasure,
    private readonly adoption: GuestAdoption,
    private readonly notifications: NotificationsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Authenticated({ scope: 'read', withoutFactor: true })
  @ApiOperation({
    operationId: 'getMe',
    summary: 'Get your account',
    description:
      'The account as its owner sees it, with `email` and whether it is verified, `role` and counts. `token` describes the token of this request: its scopes and when it expires.',
  })
  @Answers(200, MeResource, 'The account, and the token of the request.')
  async show(@CurrentCaller() caller: Caller): Promise<MeResource> {
    const [account, token, unread] = await Promise.all([
      this.users.findAccount(caller.userId),
      this.tokens.findCurrent(caller),
      this.notifications.countUnread(caller.userId),
    ]);
    return {
      ...this.present(account),
      token: presentCurrentToken(token),
      second_factor_missing: caller.lacksStaffFactor === true || caller.lacksFactor === true,
      unread_notifications: unread,
    };
  }

  @Patch()
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'updateMe',
    summary: 'Update your profile',
    description:
      'Omitted fields stay unchanged; `null` clears a field. Changing `email` requires `current_password`. The new address takes effect when it is verified with the link that is sent to it (`POST /auth/verify-email`).',
  })
  @Answers(200, AccountUpdatedResource, 'The updated profile.')
  async update(
    @CurrentCaller() caller: Caller,
    @Body() body: UpdateMeRequest,
  ): Promise<AccountUpdatedResource> {
    const { current_password: currentPassword, ...changes } = body;
    const account = await this.profiles.update(caller, { ...changes, currentPassword });
    return { message: 'Profile updated.', ...this.present(account) };
  }

  @IdempotentPost('password')
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Requires `current_password`, or `code` of a second factor. Ends all other sessions and, unless `keep_tokens` is true, revokes all API tokens and disables all webhooks. A change of the email address that is not verified yet is cancelled. An account without a password sets its first password in this way. On a site without passwords (`GET /site`) the response is 403.',
  })
  @Answers(200, MessageResource, 'The password is changed.')
  async changePassword(
    @CurrentCaller() caller: Caller,
    @Body() body: ChangePasswordRequest,
  ): Promise<MessageResource> {
    const { current_password: currentPassword, code, password, keep_tokens: keepTokens = false } = body;
    await this.passwords.change(caller, { currentPassword, code }, password, keepTokens);
    return { message: 'Password changed.' };
  }

  @IdempotentPost('guest-uploads')
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'adoptGuestUploads',
    summary: 'Move a guest’s uploads to your account',
    description:
      'Everything that the guest has uploaded and posted becomes yours: with its links, moderation statuses and comments. The guest’s token and upload tickets end. All files must fit into your quota (507 otherwise), and a guest with more than 1,000 files or posts is refused (422).',
  })
  @Answers(200, AdoptedResource, 'The uploads are yours.')
  async adoptGuest(
    @CurrentCaller() caller: Caller,
    @Body() { guest_token: guestToken }: AdoptGuestRequest,
  ): Promise<AdoptedResource> {
    return { message: 'Uploads moved.', ...(await this.adoption.adopt(caller, guestToken)) };
  }

  @Delete()
  @Authenticated({ session: true })
  @ApiOperation({
    operationId: 'deleteMe',
    summary: 'Delete your account',
    description:
      'Deletes the account with its posts, media and files, comments, votes, follows and tokens. The username cannot be registered again. The account of the last admin cannot be deleted; this is 422.',
  })
  @Answers(
    200,
    MessageResource,
    'The account is deleted. Removing all of its content may take a while longer.',
  )
  async remove(
    @CurrentCaller() caller: Caller,
    @Body() { password, code }: DeleteMeRequest,
  ): Promise<MessageResource> {
    await this.erasure.deleteAccount(caller, { currentPassword: password, code });
    return { message: 'Account deleted.' };
  }

  private present(account: AccountView): { data: AccountResource } {
    return { data: presentAccount(account, this.urls) };
  }
}
