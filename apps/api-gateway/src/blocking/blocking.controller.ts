import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { MessageResource, PageQuery, type PageResource, RelationResource } from '@vitrine/contracts/api';
import { BlockingService, type Caller, type RelationPage, type RelationView } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  presentAuthor,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers, AnswersPage } from '../openapi/answers';

@Controller(API_PREFIX)
export class BlockingController {
  constructor(
    private readonly blocking: BlockingService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Put('users/:username/block')
  @ApiTags('users')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'blockUser',
    summary: 'Block a user',
    description:
      'Idempotent. From now on, neither of you sees the other’s content or can contact the other. The blocked user gets 404 for your profile. For both of you, the posts, media and comments of the other are 404 and appear in no list. Follows between the two accounts end. Files stay reachable by their direct URLs. Moderators still see everything. An account can block 1,000 users; blocking more, or yourself, is an error (422).',
  })
  @Answers(200, MessageResource, 'The caller blocks the user.')
  @ApiResponse({ status: 422 })
  async block(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.blocking.add('block', username, caller);
    return { message: 'User blocked.' };
  }

  @Delete('users/:username/block')
  @ApiTags('users')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'unblockUser',
    summary: 'Unblock a user',
    description: 'Idempotent. Follows that the block has ended are not restored.',
  })
  @Answers(200, MessageResource, 'The caller does not block the user.')
  @ApiResponse({ status: 422 })
  async unblock(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.blocking.remove('block', username, caller);
    return { message: 'User unblocked.' };
  }

  @Put('users/:username/mute')
  @ApiTags('users')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'muteUser',
    summary: 'Mute a user',
    description:
      'Idempotent. Your lists leave out the user’s posts, media and comments, except on the user’s own profile. The user does not notice it. An account can mute 1,000 users; muting more, or yourself, is an error (422).',
  })
  @Answers(200, MessageResource, 'The caller mutes the user.')
  @ApiResponse({ status: 422 })
  async mute(@Param('username') username: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.blocking.add('mute', username, caller);
    return { message: 'User muted.' };
  }

  @Delete('users/:username/mute')
  @ApiTags('users')
  @Authenticated({ scope: 'write' })
  @ApiOperation({ operationId: 'unmuteUser', summary: 'Unmute a user', description: 'Idempotent.' })
  @Answers(200, MessageResource, 'The caller does not mute the user.')
  @ApiResponse({ status: 422 })
  async unmute(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.blocking.remove('mute', username, caller);
    return { message: 'User unmuted.' };
  }

  @Get('me/blocks')
  @ApiTags('me')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'listBlocks',
    summary: 'List the users whom you block',
    description: 'Deleted accounts are left out.',
  })
  @AnswersPage(RelationResource, 'One page of users, the latest first.')
  async listBlocks(
    @CurrentCaller() caller: Caller,
    @Query() query: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<RelationResource>> {
    return this.present(await this.blocking.findPage('block', caller, query), query, address);
  }

  @Get('me/mutes')
  @ApiTags('me')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'listMutes',
    summary: 'List the users whom you mute',
    description: 'Deleted accounts are left out.',
  })
  @AnswersPage(RelationResource, 'One page of users, the latest first.')
  async listMutes(
    @CurrentCaller() caller: Caller,
    @Query() query: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<RelationResource>> {
    return this.present(await this.blocking.findPage('mute', caller, query), query, address);
  }

  private present(
    { people, total }: RelationPage,
    { page, limit }: PageQuery,
    address: RequestedAddress,
  ): PageResource<RelationResource> {
    return presentPage(
      people.map((person) => presentRelation(person, this.urls)),
      { page, limit, total },
      address,
    );
  }
}

/** The resource of a blocked or muted user. */
export const presentRelation = (
  { author, since }: RelationView,
  urls: PublicUrlsConfig,
): RelationResource => ({
  ...presentAuthor(author, urls),
  since: since.toISOString(),
});
