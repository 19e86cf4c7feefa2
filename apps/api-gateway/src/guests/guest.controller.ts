import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ListedPostResource,
  MediaResource,
  MessageResource,
  type PageResource,
  UserListQuery,
} from '@vitrine/contracts/api';
import { AccountErasure, type Caller, MediaReading, PostsService } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { Answers, AnswersPage } from '../openapi/answers';
import { presentMediaPage } from '../media/media-page';
import { presentPostPage } from '../posts/post-page';

@ApiTags('guests')
@Controller(`${API_PREFIX}/guest`)
@Authenticated({ guest: 'alone' })
export class GuestController {
  constructor(
    private readonly posts: PostsService,
    private readonly media: MediaReading,
    private readonly erasure: AccountErasure,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('posts')
  @ApiOperation({
    operationId: 'listGuestPosts',
    summary: 'List the guest’s posts',
    description: 'Includes posts of every visibility and moderation status.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, newest first.')
  async listPosts(
    @Query() query: UserListQuery,
    @CurrentCaller() caller: Caller,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    return presentPostPage(await this.posts.findOwnPage(caller, query), query, address, this.urls);
  }

  @Get('media')
  @ApiOperation({
    operationId: 'listGuestMedia',
    summary: 'List the guest’s media',
    description: 'Includes media of every moderation status.',
  })
  @AnswersPage(MediaResource, 'One page of media, newest first.')
  async listMedia(
    @Query() query: UserListQuery,
    @CurrentCaller() caller: Caller,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<MediaResource>> {
    const page = await this.media.findOwnPage(caller, query);
    return presentMediaPage(page, query, address, this.urls, caller);
  }

  @Delete()
  @ApiOperation({
    operationId: 'deleteGuest',
    summary: 'Delete everything a guest uploaded',
    description: 'Deletes the guest’s posts, media and files, and ends the guest’s token and upload tickets.',
  })
  @Answers(
    200,
    MessageResource,
    'The guest is deleted. Removing all posts and files may take a while longer.',
  )
  async remove(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.erasure.deleteGuest(caller);
    return { message: 'Everything deleted.' };
  }
}
