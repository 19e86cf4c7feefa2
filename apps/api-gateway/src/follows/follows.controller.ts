import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FollowResource, MessageResource, type PageResource, UserListQuery } from '@vitrine/contracts';
import { type Caller, type FollowPage, FollowsService, presentFollow } from '@vitrine/domain';
import {
  Answers,
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

@ApiTags('users')
@Controller(`${API_PREFIX}/users/:username`)
export class FollowsController {
  constructor(
    private readonly follows: FollowsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Post('follow')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'followUser',
    summary: 'Follow an account',
    description: 'Following it already changes nothing. Oneself: 422.',
  })
  @Answers(200, MessageResource, 'The caller follows the account.')
  async follow(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.follows.follow(username, caller);
    return { message: 'User followed.' };
  }

  @Delete('follow')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'unfollowUser',
    summary: 'Unfollow an account',
    description: 'Not following it changes nothing. Oneself: 422.',
  })
  @Answers(200, MessageResource, 'The caller doesn’t follow the account.')
  @ApiResponse({ status: 422 })
  async unfollow(
    @Param('username') username: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.follows.unfollow(username, caller);
    return { message: 'User unfollowed.' };
  }

  @Get('followers')
  @Public()
  @ApiOperation({ operationId: 'listFollowers', summary: 'Who follows an account' })
  @AnswersPage(FollowResource, 'One page of the followers, the latest first.')
  async listFollowers(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<FollowResource>> {
    return this.present(await this.follows.findPage('followers', username, query), query, address);
  }

  @Get('following')
  @Public()
  @ApiOperation({ operationId: 'listFollowing', summary: 'Whom an account follows' })
  @AnswersPage(FollowResource, 'One page of those it follows, the latest first.')
  async listFollowing(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<FollowResource>> {
    return this.present(await this.follows.findPage('following', username, query), query, address);
  }

  private present(
    { follows, total }: FollowPage,
    { page, limit }: UserListQuery,
    address: RequestedAddress,
  ): PageResource<FollowResource> {
    return presentPage(
      follows.map((follow) => presentFollow(follow, this.urls)),
      { page, limit, total },
      { api: this.urls.api, address },
    );
  }
}
