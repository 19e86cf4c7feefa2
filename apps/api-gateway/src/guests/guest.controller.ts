import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ListedPostResource,
  MediaResource,
  MessageResource,
  type PageResource,
  UserListQuery,
} from '@vitrine/contracts';
import { AccountErasure, type Caller, MediaService, PostsService } from '@vitrine/domain';
import {
  Answers,
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { presentMediaPage } from '../media/media-page';
import { presentPostPage } from '../posts/post-page';

@ApiTags('guests')
@Controller(`${API_PREFIX}/guest`)
@Authenticated({ guest: 'alone' })
export class GuestController {
  constructor(
    private readonly posts: PostsService,
    private readonly media: MediaService,
    private readonly erasure: AccountErasure,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('posts')
  @ApiOperation({
    operationId: 'listGuestPosts',
    summary: 'A guest’s own posts',
    description: 'All of them.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, the latest first.')
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
    summary: 'A guest’s own media',
    description: 'All of them.',
  })
  @AnswersPage(MediaResource, 'One page of media, the latest first.')
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
    description: 'With its posts and files; the guest’s token and tickets end too.',
  })
  @Answers(200, MessageResource, 'The guest is deleted; the last of what it had made may take a while to go.')
  async remove(@CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.erasure.deleteGuest(caller);
    return { message: 'Everything deleted.' };
  }
}
