import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { FOLLOWED_FEED_REACH } from '@vitrine/contracts';
import {
  FollowedFeedQuery,
  FollowedTagResource,
  ListedPostResource,
  PageQuery,
  type PageResource,
} from '@vitrine/contracts/api';
import { type Caller, PostsService, TagFollowsService } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  presentPage,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { AnswersPage } from '../openapi/answers';
import { presentPostPage } from '../posts/post-page';

/** What the caller follows, and the feed of it. */
@ApiTags('me')
@Controller(`${API_PREFIX}/me`)
export class FeedController {
  constructor(
    private readonly posts: PostsService,
    private readonly tags: TagFollowsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('feed')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'listFollowedPosts',
    summary: 'List the posts of the people and tags that you follow',
    description: `The newest ${FOLLOWED_FEED_REACH} of them at most: \`meta.total\` and \`sort=top\` count no older ones. Posts of users whom you block or mute are left out.`,
  })
  @AnswersPage(ListedPostResource, 'One page of posts, newest first unless `sort=top`.')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() query: FollowedFeedQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    return presentPostPage(await this.posts.findFollowedPage(caller, query), query, address, this.urls);
  }

  @Get('followed-tags')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'listFollowedTags',
    summary: 'List the tags that you follow',
    description: 'And since when.',
  })
  @AnswersPage(FollowedTagResource, 'One page of tags, by name.')
  async listTags(
    @CurrentCaller() caller: Caller,
    @Query() { page, limit }: PageQuery,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<FollowedTagResource>> {
    const { items, total } = await this.tags.findPage(caller, { page, limit });
    const resources = items.map(({ name, followedAt }) => ({ name, followed_at: followedAt.toISOString() }));
    return presentPage(resources, { page, limit, total }, address);
  }
}
