import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ListedPostResource,
  MediaResource,
  type PageResource,
  UserListQuery,
  UserResource,
} from '@vitrine/contracts';
import { type Caller, MediaService, PostsService, presentProfile, ProfilesService } from '@vitrine/domain';
import {
  AnswersData,
  AnswersPage,
  API_PREFIX,
  CurrentAddress,
  CurrentViewer,
  MayLag,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { presentMediaPage } from '../media/media-page';
import { presentPostPage } from '../posts/post-page';

@ApiTags('users')
@Controller(`${API_PREFIX}/users/:username`)
export class UsersController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly posts: PostsService,
    private readonly media: MediaService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getUser',
    summary: 'An account as others see it',
    description: 'The name is taken in any case.',
  })
  @AnswersData(UserResource, 'The account.')
  async show(
    @Param('username') username: string,
    @CurrentViewer() viewer: Caller | null,
  ): Promise<{ data: UserResource }> {
    return { data: presentProfile(await this.profiles.find(username, viewer), this.urls) };
  }

  @Get('posts')
  @Public()
  @ApiOperation({
    operationId: 'listUserPosts',
    summary: 'Posts of an account',
    description: 'To itself all of them; to others what they can find, nsfw with `nsfw=1`.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, the latest first.')
  async listPosts(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    const page = await this.posts.findProfilePage(username, viewer, query, mayLag);
    return presentPostPage(page, query, address, this.urls);
  }

  @Get('media')
  @Public()
  @ApiOperation({
    operationId: 'listUserMedia',
    summary: 'Media of an account',
    description: 'To itself all of them; to others what they can find, nsfw with `nsfw=1`.',
  })
  @AnswersPage(MediaResource, 'One page of media, the latest first.')
  async listMedia(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<MediaResource>> {
    const page = await this.media.findProfilePage(username, viewer, query, mayLag);
    return presentMediaPage(page, query, address, this.urls, viewer);
  }
}
