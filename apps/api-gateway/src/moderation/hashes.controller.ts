import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BanHashRequest,
  BannedHashResource,
  HashBannedResource,
  MessageResource,
  PageQuery,
  type PageResource,
} from '@vitrine/contracts';
import { BannedHashesService, type Caller, NotFoundError, presentBannedHash } from '@vitrine/domain';
import {
  Answers,
  AnswersData,
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  IdPipe,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';

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
  @ApiOperation({ operationId: 'listBannedHashes', summary: 'Banned files and pictures' })
  @AnswersPage(BannedHashResource, 'One page of the bans, the newest first.')
  async list(
    @Query() { page, limit }: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<BannedHashResource>> {
    const { items, total } = await this.bannedHashes.findPage(page, limit);
    return presentPage(items.map(presentBannedHash), { page, limit, total }, { api: this.urls.api, address });
  }

  @Post()
  @ApiOperation({
    operationId: 'banHash',
    summary: 'Ban a file or a picture',
    description:
      'What is uploaded from now on is refused (`sha256`) or rejected once it is processed (`pdq`). What is hosted ' +
      'already stays until it is ruled on. A hash that is banned already keeps its entry.',
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
  @ApiOperation({ operationId: 'getBannedHash', summary: 'One banned file or picture' })
  @AnswersData(BannedHashResource, 'The ban.')
  async show(@Param('id', IdPipe) id: number): Promise<{ data: BannedHashResource }> {
    const ban = await this.bannedHashes.find(id);
    if (!ban) throw new NotFoundError();
    return { data: presentBannedHash(ban) };
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'unbanHash',
    summary: 'Lift a ban',
    description: 'What was rejected because of it stays so until it is ruled on.',
  })
  @Answers(200, MessageResource, 'The ban is lifted.')
  async unban(@Param('id', IdPipe) id: number): Promise<MessageResource> {
    if (!(await this.bannedHashes.unban(id))) throw new NotFoundError();
    return { message: 'Hash unbanned.' };
  }
}
