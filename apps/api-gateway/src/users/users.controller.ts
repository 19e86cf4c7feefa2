import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ListedPostResource,
  MediaResource,
  type PageResource,
  UserListQuery,
  UserResource,
} from '@vitrine/contracts/api';
import { type Caller, MediaReading, PostsService, type Profile, ProfilesService } from '@vitrine/domain';
import {
  API_PREFIX,
  CurrentAddress,
  CurrentViewer,
  MayLag,
  presentAuthor,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { AnswersData, AnswersPage } from '../openapi/answers';
import { presentMediaPage } from '../media/media-page';
import { presentPostPage } from '../posts/post-page';

@ApiTags('users')
@Controller(`${API_PREFIX}/users/:username`)
export class UsersController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly posts: PostsService,
    private readonly media: MediaReading,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getUser',
    summary: 'Get a user’s public profile',
    description: 'The username is matched ignoring case.',
  })
  @AnswersData(UserResource, 'The user.')
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
    summary: 'List the posts of a user',
    description:
      'You see all of your own posts. Other callers see the posts that feeds show; nsfw posts are included with `nsfw=1`.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, newest first.')
  async listPosts(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    const page = await this.posts.findProfilePage(username, query, { viewer, mayLag });
    return presentPostPage(page, query, address, this.urls);
  }

  @Get('media')
  @Public()
  @ApiOperation({
    operationId: 'listUserMedia',
    summary: 'List the media of a user',
    description:
      'You see all of your own media. Other callers see the media that feeds show; nsfw media are included with `nsfw=1`.',
  })
  @AnswersPage(MediaResource, 'One page of media, newest first.')
  async listMedia(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<MediaResource>> {
    const page = await this.media.findProfilePage(username, query, { viewer, mayLag });
    return presentMediaPage(page, query, address, this.urls, viewer);
  }
}

/** The public resource of a user. */
export const presentProfile = (profile: Profile, urls: PublicUrlsConfig): UserResource => ({
  ...presentAuthor(profile, urls),
  bio: profile.bio,
  created_at: profile.createdAt.toISOString(),
  post_count: profile.postCount,
  media_count: profile.mediaCount,
  follower_count: profile.followerCount,
  following_count: profile.followingCount,
  isFollowedByUser: profile.isFollowedByViewer,
  isBlockedByUser: profile.isBlockedByViewer,
  isMutedByUser: profile.isMutedByViewer,
});
