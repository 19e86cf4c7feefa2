import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ChangedMediaListResource,
  ChangeOwnMediaRequest,
  MediaResource,
  OwnMediaQuery,
  type PageResource,
} from '@vitrine/contracts/api';
import { type Caller, OwnMedia } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers, AnswersPage } from '../openapi/answers';
import { presentMediaPage } from './media-page';

@ApiTags('me')
@Controller(`${API_PREFIX}/me/media`)
export class OwnMediaController {
  constructor(
    private readonly media: OwnMedia,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Authenticated({ scope: 'read', guest: 'too' })
  @ApiOperation({
    operationId: 'listOwnMedia',
    summary: 'List and filter your media',
    description:
      'All of your media, listed or not. Of more than 50,000, only the latest 50,000 are considered, or the largest with `sort=largest`.',
  })
  @AnswersPage(MediaResource, 'One page of your media.')
  async list(
    @Query() query: OwnMediaQuery,
    @CurrentCaller() caller: Caller,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<MediaResource>> {
    return presentMediaPage(await this.media.findPage(caller, query), query, address, this.urls, caller);
  }

  @Patch()
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'changeOwnMedia',
    summary: 'Change or delete several of your media',
    description:
      'Each media item is changed completely or not at all, and the response says which. With `delete`, all that are yours are deleted together.',
  })
  @Answers(200, ChangedMediaListResource, 'The result for each media item.')
  async change(
    @CurrentCaller() caller: Caller,
    @Body() { media, add_tags: addTags, ...changes }: ChangeOwnMediaRequest,
  ): Promise<ChangedMediaListResource> {
    const results = await this.media.change(media, caller, { ...changes, ...(addTags && { addTags }) });
    return { data: results.map((result, at) => ({ media: media[at]!, result })) };
  }
}
