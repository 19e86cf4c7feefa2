import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  type ApiTokenResource,
  CreateTokenRequest,
  type MessageResource,
  type NewTokenResource,
} from '@vitrine/contracts';
import { type Caller, presentApiToken, TokensService } from '@vitrine/domain';
import { API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';

@ApiTags('tokens')
@Controller(`${API_PREFIX}/tokens`)
@Authenticated({ session: true })
export class TokensController {
  constructor(private readonly tokens: TokensService) {}

  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<{ data: ApiTokenResource[] }> {
    return { data: (await this.tokens.list(caller.userId)).map(presentApiToken) };
  }

  @Post()
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateTokenRequest): Promise<NewTokenResource> {
    const { secret, token } = await this.tokens.create(caller.userId, {
      name: body.name,
      scopes: body.scopes,
      expiresAt: body.expires_at,
    });
    return { message: 'Token created.', token: secret, api_token: presentApiToken(token) };
  }

  @Delete(':id')
  async revoke(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: number): Promise<MessageResource> {
    await this.tokens.revoke(caller.userId, id);
    return { message: 'Token revoked.' };
  }
}
