import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  MAX_SLUGS,
  MediaFeedQuery,
  MediaResource,
  MessageResource,
  type PageResource,
  UpdateMediaRequest,
} from '@vitrine/contracts';
import { type Caller, MediaService, ownsMedia, presentMedia } from '@vitrine/domain';
import { PublicUrlsConfig } from '@vitrine/runtime';
import {
  Answers,
  AnswersData,
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  MayLag,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { presentMediaPage } from './media-page';

@ApiTags('media')
@Controller(`${API_PREFIX}/media`)
export class MediaController {
  constructor(
    private readonly media: MediaService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'listMedia',
    summary: 'The feed of media',
    description:
      'Media of hidden and private posts, and unlisted media, are left out. Only what is safe, unless `nsfw=1`. The ' +
      'list of an unknown `tag` or `username` is empty. `slugs` names media items instead.',
  })
  @AnswersPage(MediaResource, 'One page of media, the latest first unless `sort=random`.')
  async list(
    @Query() query: MediaFeedQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<MediaResource>> {
    const { slugs } = query;
    if (slugs) {
      const items = await this.media.findForViewerBySlugs(slugs, viewer);
      const whole = { items, total: items.length, seed: null };
      return presentMediaPage(whole, { page: 1, limit: MAX_SLUGS }, address, this.urls, viewer);
    }
    const page = await this.media.findFeedPage(query, mayLag);
    return presentMediaPage(page, query, address, this.urls, viewer);
  }

  @Get(':slug')
  @Public()
  @ApiOperation({ operationId: 'getMedia', summary: 'One media' })
  @AnswersData(MediaResource, 'The media.')
  async show(
    @Param('slug') slug: string,
    @CurrentViewer() viewer: Caller | null,
  ): Promise<{ data: MediaResource }> {
    const view = await this.media.findForViewer(slug, viewer);
    return { data: presentMedia(view, this.urls, ownsMedia(view.media, viewer)) };
  }

  @Patch(':slug')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'updateMedia',
    summary: 'Change the texts, tags or listing of a media item',
    description:
      'Only the owner may do this. Omitted fields stay unchanged; `null` clears a field. Changed texts or tags are a new ' +
      'revision of every post that the media item is in.',
  })
  @Answers(200, MessageResource, 'The media is changed.')
  async update(
    @Param('slug') slug: string,
    @CurrentCaller() caller: Caller,
    @Body() { alt_text: altText, ...texts }: UpdateMediaRequest,
  ): Promise<MessageResource> {
    await this.media.update(slug, caller, { ...texts, ...(altText !== undefined && { altText }) });
    return { message: 'Media updated.' };
  }

  @Delete(':slug')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'deleteMedia',
    summary: 'Delete a media',
    description: 'The owner alone. Its files go with it.',
  })
  @Answers(200, MessageResource, 'The media is deleted.')
  async remove(@Param('slug') slug: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.media.remove(slug, caller);
    return { message: 'Media deleted.' };
  }
}
