import { Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MAX_FOLLOWED_TAGS } from '@vitrine/contracts';
import {
  MessageResource,
  type PageResource,
  SingleTagResource,
  TagListQuery,
  TagQuery,
  TagResource,
} from '@vitrine/contracts/api';
import { type Caller, TagFollowsService, TagsService, type TagUse } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  IdempotentPost,
  MayLag,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';

@ApiTags('tags')
@Controller(`${API_PREFIX}/tags`)
export class TagsController {
  constructor(
    private readonly tags: TagsService,
    private readonly follows: TagFollowsService,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'listTags',
    summary: 'List tags',
    description:
      'Tags that are in use. The counts cover what the feeds show: hidden, private, pending, rejected and unlisted items do not count, and nsfw items count only with `nsfw=1`.',
  })
  @AnswersPage(TagResource, 'One page of tags, most used first.')
  async list(
    @Query() query: TagListQuery,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<TagResource>> {
    const { items, total } = await this.tags.findPage(query, { mayLag });
    const { page, limit } = query;
    return presentPage(items.map(presentTag), { page, limit, total }, address);
  }

  @Get(':tag')
  @Public()
  @ApiOperation({
    operationId: 'getTag',
    summary: 'Get a tag',
    description: 'The name is matched ignoring case.',
  })
  @AnswersData(SingleTagResource, 'The tag.')
  async show(
    @Param('tag') name: string,
    @Query() { nsfw = false }: TagQuery,
    @CurrentViewer() viewer: Caller | null,
  ): Promise<{ data: SingleTagResource }> {
    const { isFollowedByViewer, ...use } = await this.follows.find(name, nsfw, viewer);
    return { data: { ...presentTag(use), isFollowedByUser: isFollowedByViewer } };
  }

  @IdempotentPost(':tag/follow')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'followTag',
    summary: 'Follow a tag',
    description: `Idempotent. Posts with this tag appear in \`GET /me/feed\`. An account can follow ${MAX_FOLLOWED_TAGS} tags; following more is an error (422).`,
  })
  @Answers(200, MessageResource, 'The caller follows the tag.')
  async follow(@Param('tag') name: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.follows.follow(name, caller);
    return { message: 'Tag followed.' };
  }

  @Delete(':tag/follow')
  @Authenticated({ scope: 'write' })
  @ApiOperation({ operationId: 'unfollowTag', summary: 'Unfollow a tag', description: 'Idempotent.' })
  @Answers(200, MessageResource, 'The caller does not follow the tag.')
  async unfollow(@Param('tag') name: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.follows.unfollow(name, caller);
    return { message: 'Tag unfollowed.' };
  }
}

/** The resource of a tag. */
export const presentTag = ({ name, postCount, mediaCount }: TagUse): TagResource => ({
  name,
  post_count: postCount,
  media_count: mediaCount,
});
