import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiTokenResource, CreateTokenRequest, MessageResource, NewTokenResource } from '@vitrine/contracts';
import { type Caller, presentApiToken, TokensService } from '@vitrine/domain';
import { Answers, AnswersData, API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';

@ApiTags('tokens')
@Controller(`${API_PREFIX}/tokens`)
@Authenticated({ session: true })
export class TokensController {
  constructor(
    private readonly tokens: TokensService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listTokens', summary: 'One’s own API tokens' })
  @AnswersData([ApiTokenResource], 'The tokens, without their secrets.')
  async list(@CurrentCaller() caller: Caller): Promise<{ data: ApiTokenResource[] }> {
    return { data: (await this.tokens.list(caller.userId)).map(presentApiToken) };
  }

  @Post()
  @ApiOperation({ operationId: 'createToken', summary: 'Make an API token' })
  @Answers(201, NewTokenResource, 'The token is made; its secret is shown this once.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateTokenRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewTokenResource> {
    const { secret, token } = await this.tokens.create(caller.userId, {
      name: body.name,
      scopes: body.scopes,
      expiresAt: body.expires_at,
    });
    response.set('Location', `${this.urls.api}/tokens/${token.id}`);
    return { message: 'Token created.', token: secret, api_token: presentApiToken(token) };
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'revokeToken', summary: 'Revoke an API token' })
  @Answers(200, MessageResource, 'The token is revoked, everywhere within a second.')
  async revoke(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.tokens.revoke(caller.userId, id);
    return { message: 'Token revoked.' };
  }
}
