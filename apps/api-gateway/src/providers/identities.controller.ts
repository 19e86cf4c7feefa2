import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  IdentityResource,
  LinkProviderRequest,
  MessageResource,
  ProviderLoginStartResource,
  UnlinkProviderRequest,
} from '@vitrine/contracts/api';
import { type Caller, LinkedProviders, ProviderLogins } from '@vitrine/domain';
import { presentIdentity, presentStart } from './provider-answers';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost, IdPipe } from '@vitrine/http';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('me')
@Controller(`${API_PREFIX}/me/identities`)
@Authenticated({ session: true })
export class IdentitiesController {
  constructor(
    private readonly logins: ProviderLogins,
    private readonly linked: LinkedProviders,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listIdentities',
    summary: 'List the providers of your account',
    description: 'The identity providers with which you can log in to this account.',
  })
  @AnswersData([IdentityResource], 'The linked providers, oldest first.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: IdentityResource[] }> {
    return { data: (await this.linked.list(caller.userId)).map(presentIdentity) };
  }

  @IdempotentPost()
  @ApiOperation({
    operationId: 'linkProvider',
    summary: 'Begin to link a provider',
    description:
      'Requires that you prove again who you are. You log in at the provider, and `POST /auth/providers/{name}/finish` with this session then links it. Accounts are never linked by an email address.',
  })
  @Answers(200, ProviderLoginStartResource, 'The address of the provider, and the secret of this login.')
  async link(
    @CurrentCaller() caller: Caller,
    @Body() { provider, current_password: currentPassword }: LinkProviderRequest,
  ): Promise<ProviderLoginStartResource> {
    return presentStart(await this.logins.beginLink(caller, provider, { currentPassword }));
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'unlinkProvider',
    summary: 'Unlink a provider',
    description:
      'Requires that you prove again who you are. The last way to log in can’t be removed: the response is then 422 with an error on `way_in`.',
  })
  @Answers(200, MessageResource, 'The provider is unlinked. Sessions that it opened stay.')
  async unlink(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
    @Body() { current_password: currentPassword }: UnlinkProviderRequest,
  ): Promise<MessageResource> {
    await this.linked.unlink(caller, id, { currentPassword });
    return { message: 'Provider unlinked.' };
  }
}
