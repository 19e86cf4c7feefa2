import { Body, Controller, Delete, Get, Param, Patch, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  MAX_SLUGS,
  MediaDetailsResource,
  MediaFeedQuery,
  MediaQuery,
  MediaResource,
  MessageResource,
  type PageResource,
  UpdateMediaRequest,
} from '@vitrine/contracts/api';
import { type Caller, isInProgress, MediaDeletion, MediaEditing, MediaReading, owns } from '@vitrine/domain';
import {
  presentMedia,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  MayLag,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';
import type { Request, Response } from 'express';
import { presentMediaPage } from './media-page';
import { MediaWaits } from './media-waits';

@ApiTags('media')
@Controller(`${API_PREFIX}/media`)
export class MediaController {
  constructor(
    private readonly media: MediaReading,
    private readonly mediaEditing: MediaEditing,
    private readonly mediaDeletion: MediaDeletion,
    private readonly waits: MediaWaits,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'listMedia',
    summary: 'List media',
    description:
      'Omits unlisted media and media that are only in hidden or private posts. Nsfw media are included only with `nsfw=1`. An unknown `tag` or `username` gives an empty page. With `slugs` the response holds exactly the named media items instead.',
  })
  @AnswersPage(MediaResource, 'One page of media, newest first unless `sort=random`.')
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
    const page = await this.media.findFeedPage(query, { viewer, mayLag });
    return presentMediaPage(page, query, address, this.urls, viewer);
  }

  @Get(':slug')
  @Public()
  @ApiOperation({
    operationId: 'getMedia',
    summary: 'Get a media item',
    description:
      'Finds the media item by slug or numeric id. For callers other than the owner and moderators, an id finds only media items that lists show. With `wait`, one request replaces repeated requests after an upload.',
  })
  @AnswersData(MediaDetailsResource, 'The media item.')
  async show(
    @Param('slug') slug: string,
    @Query() { wait }: MediaQuery,
    @CurrentViewer() viewer: Caller | null,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<{ data: MediaDetailsResource }> {
    let view = await this.media.findForViewer(slug, viewer);
    if (wait > 0 && isInProgress(view.media)) {
      await this.waits.hold(view.media.slug, wait, request, response);
      // Also when the time is over: by then one of the two may be done.
      view = await this.media.findForViewer(slug, viewer);
    }
    const isOwn = owns(view.media, viewer);
    const post = isOwn ? view.ownPost : view.listedPost;
    return { data: { ...presentMedia(view, this.urls, isOwn), post } };
  }

  @Patch(':slug')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'updateMedia',
    summary: 'Update a media item',
    description:
      'Only the owner may do this. Omitted fields stay unchanged; `null` clears a field. Changing texts or tags increases the revision of every post that contains the media item. If a moderator has rejected it, `is_nsfw` is refused (403).',
  })
  @Answers(200, MessageResource, 'The media item is updated.')
  async update(
    @Param('slug') slug: string,
    @CurrentCaller() caller: Caller,
    @Body() { alt_text: altText, is_nsfw: isNsfw, ...fields }: UpdateMediaRequest,
  ): Promise<MessageResource> {
    await this.mediaEditing.update(slug, caller, {
      ...fields,
      isNsfw,
      ...(altText !== undefined && { altText }),
    });
    return { message: 'Media updated.' };
  }

  @Delete(':slug')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'deleteMedia',
    summary: 'Delete a media item',
    description: 'Only the owner may do this. The stored files are deleted too.',
  })
  @Answers(200, MessageResource, 'The media item is deleted.')
  async remove(@Param('slug') slug: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.mediaDeletion.remove(slug, caller);
    return { message: 'Media deleted.' };
  }
}
