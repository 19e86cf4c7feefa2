import { Body, Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  InviteResource,
  MessageResource,
  NewInviteRequest,
  NewInviteResource,
  PageQuery,
  type PageResource,
} from '@vitrine/contracts/api';
import { type Caller, InvitesService } from '@vitrine/domain';
import { inviteUrl, presentInvite } from './admission.presenter';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  IdempotentPost,
  IdPipe,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';

@ApiTags('auth')
@Controller(`${API_PREFIX}/invites`)
@Authenticated({ session: true })
export class InvitesController {
  constructor(
    private readonly invites: InvitesService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listInvites',
    summary: 'List invites',
    description:
      'Staff see the invites of all accounts, members their own. Members who may not create invites get 403 (see `GET /site`).',
  })
  @AnswersPage(InviteResource, 'One page of invites, newest first.')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() { page, limit }: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<InviteResource>> {
    const { invites, total } = await this.invites.findPage(caller, page, limit);
    return presentPage(invites.map(presentInvite), { page, limit, total }, address);
  }

  @IdempotentPost()
  @ApiOperation({
    operationId: 'createInvite',
    summary: 'Create an invite',
    description:
      'Returns a link with which accounts can be created. Members can have at most 10 open invites for at most 10 accounts each.',
  })
  @Answers(
    201,
    NewInviteResource,
    'The invite is created. Its link and code are shown only in this response.',
  )
  async create(
    @CurrentCaller() caller: Caller,
    @Body() { uses = 1, expires_at: expiresAt, note = null }: NewInviteRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewInviteResource> {
    const { code, invite } = await this.invites.create(caller, { uses, expiresAt, note });
    response.set('Location', `${this.urls.api}/invites/${invite.id}`);
    return {
      message: 'Invite created.',
      url: inviteUrl(code, this.urls),
      code,
      invite: presentInvite(invite),
    };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getInvite',
    summary: 'Get an invite',
    description: 'Members get 404 for invites of other accounts.',
  })
  @AnswersData(InviteResource, 'The invite, without its code.')
  async show(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
  ): Promise<{ data: InviteResource }> {
    return { data: presentInvite(await this.invites.find(caller, id)) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'revokeInvite',
    summary: 'Revoke an invite',
    description: 'No more accounts can be created with it. Accounts that were created with it stay.',
  })
  @Answers(200, MessageResource, 'The invite is revoked.')
  async revoke(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.invites.revoke(caller, id);
    return { message: 'Invite revoked.' };
  }
}
