import { Body, Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiTokenResource,
  MessageResource,
  OpenSessionResource,
  ProofRequest,
  ResetLinkResource,
} from '@vitrine/contracts/api';
import { type Caller, linkUrl, PersonAccess } from '@vitrine/domain';
import { presentApiToken, presentSession } from '../security/security.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { PROOF, proofIn } from '../proofs/proof-bodies';
import { Answers, AnswersData } from '../openapi/answers';

/** The access to accounts, for admins: passwords, second factors, sessions and API tokens. */
@ApiTags('admin')
@Controller(`${API_PREFIX}/admin/users/:username`)
@Authenticated({ session: true, role: 'admin' })
export class PersonAccessController {
  constructor(
    private readonly access: PersonAccess,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('reset-link')
  @ApiOperation({
    operationId: 'createResetLink',
    summary: 'Create a link to set the password of an account',
    description: `For users who cannot receive mails. The link works once, for 30 minutes; using it ends all sessions, revokes all API tokens and disables all webhooks. Give it only to the owner of the account. On a site without passwords, the request is refused. ${PROOF}`,
  })
  @Answers(200, ResetLinkResource, 'The link is created. It is shown only in this response.')
  async createResetLink(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
    @Body() proof: ProofRequest,
  ): Promise<ResetLinkResource> {
    const { code, expiresAt } = await this.access.createResetLink(username, caller, proofIn(proof));
    return {
      message: 'Reset link created.',
      url: linkUrl(this.urls.site, 'reset-password', code),
      expires_at: expiresAt.toISOString(),
    };
  }

  @Delete('second-factors')
  @ApiOperation({
    operationId: 'removeSecondFactorsOf',
    summary: 'Remove all second factors of an account',
    description: `Removes the authenticator app, passkeys and recovery codes, for a user who has lost them. The owner of the account is notified. The request succeeds even if there are none. ${PROOF}`,
  })
  @Answers(200, MessageResource, 'The account has no second factor.')
  async removeSecondFactors(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
    @Body() proof: ProofRequest,
  ): Promise<MessageResource> {
    await this.access.removeSecondFactors(username, caller, proofIn(proof));
    return { message: 'Second factors removed.' };
  }

  @Get('sessions')
  @ApiOperation({ operationId: 'listSessionsOf', summary: 'List the sessions of an account' })
  @AnswersData([OpenSessionResource], 'The open sessions, most recently used first.')
  async sessions(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<{ data: OpenSessionResource[] }> {
    const sessions = await this.access.listSessions(username);
    return { data: sessions.map((session) => presentSession(session, caller)) };
  }

  @Delete('sessions')
  @ApiOperation({
    operationId: 'endSessionsOf',
    summary: 'End all sessions of an account',
    description: 'Also ends its upload tickets. API tokens stay valid.',
  })
  @Answers(200, MessageResource, 'The sessions have ended; every process refuses them within a second.')
  async endSessions(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.access.endSessions(username, caller);
    return { message: 'Sessions ended.' };
  }

  @Delete('sessions/:id')
  @ApiOperation({ operationId: 'endSessionOf', summary: 'End a session of an account' })
  @Answers(200, MessageResource, 'The session has ended; every process refuses it within a second.')
  async endSession(
    @Param('username') username: string,
    @Param('id', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.access.endSession(username, id, caller);
    return { message: 'Session ended.' };
  }

  @Get('tokens')
  @ApiOperation({
    operationId: 'listTokensOf',
    summary: 'List the API tokens of an account',
    description: 'Without their secrets.',
  })
  @AnswersData([ApiTokenResource], 'The API tokens, oldest first.')
  async tokens(@Param('username') username: string): Promise<{ data: ApiTokenResource[] }> {
    return { data: (await this.access.listTokens(username)).map(presentApiToken) };
  }

  @Delete('tokens/:id')
  @ApiOperation({ operationId: 'revokeTokenOf', summary: 'Revoke an API token of an account' })
  @Answers(200, MessageResource, 'The token is revoked; every process refuses it within a second.')
  async revokeToken(
    @Param('username') username: string,
    @Param('id', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.access.revokeToken(username, id, caller);
    return { message: 'Token revoked.' };
  }
}
