import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiTokenResource, CreateTokenRequest, MessageResource, NewTokenResource } from '@vitrine/contracts';
import { type Caller, presentApiToken, TokensService, UsersService } from '@vitrine/domain';
import { Answers, AnswersData, API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';

@ApiTags('tokens')
@Controller(`${API_PREFIX}/tokens`)
@Authenticated({ session: true })
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly users: UsersService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listTokens', summary: 'One’s own API tokens' })
  @AnswersData([ApiTokenResource], 'The tokens, without their secrets.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: ApiTokenResource[] }> {
    return { data: (await this.tokens.list(caller.userId)).map(presentApiToken) };
  }

  @Post()
  @ApiOperation({
    operationId: 'createToken',
    summary: 'Make an API token',
    description:
      'Asks for the password. The token ends after a year unless `expires_at` says otherwise. An account has at most 250.',
  })
  @Answers(201, NewTokenResource, 'The token is made; its secret is shown this once.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateTokenRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewTokenResource> {
    const { secret, token } = await this.users.createToken(caller, body.current_password, {
      name: body.name,
      scopes: body.scopes,
      expiresAt: body.expires_at,
    });
    response.set('Location', `${this.urls.api}/tokens/${token.id}`);
    return { message: 'Token created.', token: secret, api_token: presentApiToken(token) };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getToken', summary: 'One of the caller’s API tokens' })
  @AnswersData(ApiTokenResource, 'The token, without its secret.')
  async show(
    @CurrentCaller() caller: Caller,
    @Param('id', IdPipe) id: number,
  ): Promise<{ data: ApiTokenResource }> {
    return { data: presentApiToken(await this.tokens.find(caller.userId, id)) };
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revoke an API token' })
  @Answers(200, MessageResource, 'The token is revoked, everywhere within a second.')
  async revoke(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.tokens.revoke(caller.userId, id);
    return { message: 'Token revoked.' };
  }
}
