import { Body, Controller, Delete, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ApiTokenResource,
  CreateTokenRequest,
  MessageResource,
  NewTokenResource,
} from '@vitrine/contracts/api';
import { AccountSecurity, type Caller, TokensService } from '@vitrine/domain';
import { presentApiToken } from './security.presenter';
import { API_PREFIX, Authenticated, CurrentCaller, IdempotentPost, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData } from '../openapi/answers';

@ApiTags('tokens')
@Controller(`${API_PREFIX}/tokens`)
@Authenticated({ session: true })
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly security: AccountSecurity,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listTokens',
    summary: 'List your API tokens',
    description:
      'Lists all tokens that are not revoked, with their scopes, when they expire and when they were last used.',
  })
  @AnswersData([ApiTokenResource], 'The tokens, without their secrets.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: ApiTokenResource[] }> {
    return { data: (await this.tokens.list(caller.userId)).map(presentApiToken) };
  }

  @IdempotentPost()
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Create an API token',
    description:
      'Requires the account’s password, or a code of a second factor. The token expires after a year unless `expires_at` says otherwise. An account can have at most 250 tokens.',
  })
  @Answers(201, NewTokenResource, 'The token is created. Its secret is shown only in this response.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateTokenRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewTokenResource> {
    const { secret, token } = await this.security.createToken(
      caller,
      { currentPassword: body.current_password, code: body.code },
      { name: body.name, scopes: body.scopes, expiresAt: body.expires_at },
    );
    response.set('Location', `${this.urls.api}/tokens/${token.id}`);
    return { message: 'Token created.', token: secret, api_token: presentApiToken(token) };
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getToken',
    summary: 'Get one of your API tokens',
    description:
      'Returns its name and scopes, when it expires and when it was last used. For a token of another account the response is 404.',
  })
  @AnswersData(ApiTokenResource, 'The token, without its secret.')
  async show(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
  ): Promise<{ data: ApiTokenResource }> {
    return { data: presentApiToken(await this.tokens.find(caller.userId, id)) };
  }

  @Delete('current')
  @Authenticated({})
  @ApiOperation({
    operationId: 'revokeCurrentToken',
    summary: 'Revoke the token of this request',
    description:
      'An API token needs no scope for this. A session ends as it does on logout. The webhooks of an API token are disabled.',
  })
  @Answers(200, MessageResource, 'The token is revoked; every process refuses it within a second.')
  async revokeCurrent(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.tokens.revokeCurrent(caller);
    return { message: 'Token revoked.' };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'revokeToken',
    summary: 'Revoke an API token',
    description:
      'The token stops working permanently, and its webhooks are disabled: those that it created, or whose address it last changed or that it last enabled. For a token of another account the response is 404.',
  })
  @Answers(200, MessageResource, 'The token is revoked; every process refuses it within a second.')
  async revoke(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.tokens.revoke(caller.userId, id);
    return { message: 'Token revoked.' };
  }
}
