import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { type PageResource, TagListQuery, TagResource } from '@vitrine/contracts/api';
import { TagsService, type TagUse } from '@vitrine/domain';
import {
  API_PREFIX,
  CurrentAddress,
  MayLag,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { AnswersPage } from '../openapi/answers';

@ApiTags('tags')
@Controller(`${API_PREFIX}/tags`)
export class TagsController {
  constructor(private readonly tags: TagsService) {}

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
}

/** The resource of a tag. */
export const presentTag = ({ name, postCount, mediaCount }: TagUse): TagResource => ({
  name,
  post_count: postCount,
  media_count: mediaCount,
});
