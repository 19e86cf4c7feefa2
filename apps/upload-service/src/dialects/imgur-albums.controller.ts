import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, UseInterceptors } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { MAX_POST_MEDIA } from '@vitrine/contracts';
import { UpdatePostRequest } from '@vitrine/contracts/api';
import {
  type Caller,
  InvalidFieldsError,
  MediaReading,
  PostEditingService,
  PostsService,
} from '@vitrine/domain';
import {
  presentPost,
  Authenticated,
  CurrentCaller,
  CurrentViewer,
  Public,
  ReadsOwnBody,
} from '@vitrine/http';
import { isView, PublicUrlsConfig } from '@vitrine/runtime';
import type { Request } from 'express';
import type { FormFields } from '../receiving/form-reading';
import { ImgurAnswersInterceptor } from './imgur-answers.interceptor';
import { ImgurForms, readTexts, slugsIn } from './imgur-forms';
import { presentImgurAlbum } from './imgur.presenter';

/** Albums as Imgur's API 3 has them. The id of an album is the slug of a post, and each has at least one image. */
@ApiExcludeController()
@UseInterceptors(ImgurAnswersInterceptor)
@Controller('3/album')
export class ImgurAlbumsController {
  constructor(
    private readonly posts: PostsService,
    private readonly editing: PostEditingService,
    private readonly media: MediaReading,
    private readonly forms: ImgurForms,
    private readonly urls: PublicUrlsConfig,
  ) {}

  /** Hidden unless it is to be public, because Imgur's programs expect that only a link leads to an album. */
  @Post()
  @HttpCode(200)
  @Authenticated({ scope: 'write' })
  @ReadsOwnBody(true)
  async create(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<object> {
    const fields = await this.forms.fields(request);
    const texts = readTexts(fields, UpdatePostRequest);
    const mediaIds = await this.mediaIn(fields, caller);
    const { slug } = await this.editing.create(caller, {
      mediaIds,
      title: texts.title,
      description: texts.description,
      visibility: visibilityIn(fields) ?? 'hidden',
    });
    return { id: slug, deletehash: slug };
  }

  @Get(':id')
  @Public()
  show(
    @Param('id') id: string,
    @CurrentViewer() viewer: Caller | null,
    @Req() request: Request,
  ): Promise<object> {
    return this.albumOf(id, viewer, request);
  }

  @Get(':id/images')
  @Public()
  async images(
    @Param('id') id: string,
    @CurrentViewer() viewer: Caller | null,
    @Req() request: Request,
  ): Promise<object> {
    return (await this.albumOf(id, viewer, request)).images;
  }

  @Post(':id')
  @HttpCode(200)
  @Authenticated({ scope: 'write' })
  @ReadsOwnBody(true)
  async update(
    @Param('id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
  ): Promise<true> {
    const fields = await this.forms.fields(request);
    const { title, description } = readTexts(fields, UpdatePostRequest);
    await this.editing.update(id, caller, { title, description, visibility: visibilityIn(fields) });
    return true;
  }

  @Post(':id/add')
  @HttpCode(200)
  @Authenticated({ scope: 'write' })
  @ReadsOwnBody(true)
  async add(
    @Param('id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
  ): Promise<true> {
    const mediaIds = await this.mediaIn(await this.forms.fields(request), caller);
    await this.editing.addMedia(id, caller, mediaIds);
    return true;
  }

  @Delete(':id/remove_images')
  @Authenticated({ scope: 'write' })
  async removeImages(
    @Param('id') id: string,
    @Query('ids') ids: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<true> {
    const named = new Map([['ids', typeof ids === 'string' ? [ids] : []]]);
    for (const slug of slugsIn(named)) await this.editing.removeMedia(id, caller, slug);
    return true;
  }

  /** The images stay. */
  @Delete(':id')
  @Authenticated({ scope: 'write' })
  async remove(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<true> {
    await this.editing.remove(id, caller);
    return true;
  }

  private async albumOf(id: string, viewer: Caller | null, request: Request) {
    const reading = { viewer, isView: isView(request) };
    const view = await this.posts.findForViewer(id, reading, { mediaPage: 1, perPage: MAX_POST_MEDIA });
    return presentImgurAlbum(presentPost(view, this.urls), view.post.visibility === 'public');
  }

  /** Throws `InvalidFieldsError` on `ids` if there are none, or one is unknown. */
  private async mediaIn(fields: FormFields, caller: Caller): Promise<readonly number[]> {
    const slugs = slugsIn(fields);
    const views = await this.media.findForViewerBySlugs(slugs, caller);
    if (slugs.length === 0) {
      throw new InvalidFieldsError({ ids: ['The ids field must name at least one image.'] });
    }
    if (views.length < slugs.length) throw new InvalidFieldsError({ ids: ['The selected ids is invalid.'] });
    return views.map(({ media }) => media.id);
  }
}

function visibilityIn(fields: FormFields): 'public' | 'hidden' | undefined {
  const privacy = fields.get('privacy')?.[0];
  if (privacy === undefined || privacy === '') return undefined;
  return privacy === 'public' ? 'public' : 'hidden';
}
