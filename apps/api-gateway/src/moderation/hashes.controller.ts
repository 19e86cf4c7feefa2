import { Body, Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BanHashRequest,
  BannedHashResource,
  HashBannedResource,
  MessageResource,
  PageQuery,
  type PageResource,
} from '@vitrine/contracts/api';
import { BannedHashesService, type Caller, NotFoundError } from '@vitrine/domain';
import { presentBannedHash } from './banned-hash.presenter';
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

@ApiTags('moderation')
@Controller(`${API_PREFIX}/moderation/hashes`)
@Authenticated({ scope: 'write', role: 'moderator' })
export class HashesController {
  constructor(
    private readonly bannedHashes: BannedHashesService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Authenticated({ scope: 'read', role: 'moderator' })
  @ApiOperation({
    operationId: 'listBannedHashes',
    summary: 'List banned hashes',
    description:
      'Hashes of files (`sha256`) and of pictures (`pdq`), with the reason and the moderator of each ban.',
  })
  @AnswersPage(BannedHashResource, 'One page of banned hashes, newest first.')
  async list(
    @Query() { page, limit }: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<BannedHashResource>> {
    const { items, total } = await this.bannedHashes.findPage(page, limit);
    return presentPage(items.map(presentBannedHash), { page, limit, total }, address);
  }

  @IdempotentPost()
  @ApiOperation({
    operationId: 'banHash',
    summary: 'Ban a hash',
    description:
      'New uploads that match are refused (`sha256`), or rejected after processing (`pdq`). Media that are already stored are not affected. Banning a hash that is already banned returns the existing entry.',
  })
  @Answers(201, HashBannedResource, 'The hash is banned.')
  async ban(
    @Body() { kind = 'sha256', hash, reason }: BanHashRequest,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HashBannedResource> {
    const ban = await this.bannedHashes.ban(kind, hash, reason, caller.userId);
    response.set('Location', `${this.urls.api}/moderation/hashes/${ban.id}`);
    return { message: 'Hash banned.', banned_hash: presentBannedHash(ban) };
  }

  @Get(':id')
  @Authenticated({ scope: 'read', role: 'moderator' })
  @ApiOperation({
    operationId: 'getBannedHash',
    summary: 'Get a banned hash',
    description: 'Returns the entry with this id. If the ban was lifted, the response is 404.',
  })
  @AnswersData(BannedHashResource, 'The banned hash.')
  async show(@Param('id', IdPipe) id: number): Promise<{ data: BannedHashResource }> {
    const ban = await this.bannedHashes.find(id);
    if (!ban) throw new NotFoundError();
    return { data: presentBannedHash(ban) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'unbanHash',
    summary: 'Lift a ban',
    description:
      'Media that were rejected because of this hash stay rejected until a moderator decides otherwise.',
  })
  @Answers(200, MessageResource, 'The ban is lifted.')
  async unban(@Param('id', IdPipe) id: number, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    if (!(await this.bannedHashes.unban(id, caller.userId))) throw new NotFoundError();
    return { message: 'Hash unbanned.' };
  }
}
