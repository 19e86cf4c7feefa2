import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { FollowResource, MessageResource, type PageResource, UserListQuery } from '@vitrine/contracts/api';
import { type Caller, type FollowPage, FollowsService, type FollowView } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  IdempotentPost,
  presentAuthor,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers, AnswersPage } from '../openapi/answers';

@ApiTags('users')
@Controller(`${API_PREFIX}/users/:username`)
export class FollowsController {
  constructor(
    private readonly follows: FollowsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost('follow')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'followUser',
    summary: 'Follow a user',
    description:
      'Idempotent. Following yourself is an error (422), and so is following a user whom you block (403).',
  })
  @Answers(200, MessageResource, 'The caller follows the user.')
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
    summary: 'Unfollow a user',
    description: 'Idempotent. Unfollowing yourself is an error (422).',
  })
  @Answers(200, MessageResource, 'The caller does not follow the user.')
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
  @ApiOperation({
    operationId: 'listFollowers',
    summary: 'List the followers of a user',
    description: 'Accounts that follow the user, and since when. Deleted accounts are left out.',
  })
  @AnswersPage(FollowResource, 'One page of followers, newest first.')
  async listFollowers(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<FollowResource>> {
    return this.present(await this.follows.findPage('followers', username, viewer, query), query, address);
  }

  @Get('following')
  @Public()
  @ApiOperation({
    operationId: 'listFollowing',
    summary: 'List the users that a user follows',
    description: 'Accounts that the user follows, and since when. Deleted accounts are left out.',
  })
  @AnswersPage(FollowResource, 'One page of the users that the account follows, newest first.')
  async listFollowing(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<FollowResource>> {
    return this.present(await this.follows.findPage('following', username, viewer, query), query, address);
  }

  private present(
    { follows, total }: FollowPage,
    { page, limit }: UserListQuery,
    address: RequestedAddress,
  ): PageResource<FollowResource> {
    return presentPage(
      follows.map((follow) => presentFollow(follow, this.urls)),
      { page, limit, total },
      address,
    );
  }
}

/** The resource of an entry in a user's list of followers or followed users. */
export const presentFollow = (
  { author, followedAt }: FollowView,
  urls: PublicUrlsConfig,
): FollowResource => ({
  ...presentAuthor(author, urls),
  followed_at: followedAt.toISOString(),
});
