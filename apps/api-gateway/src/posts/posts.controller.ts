import { Body, Controller, Delete, Get, Param, Patch, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { MAX_POSTS_OF_MEDIA } from '@vitrine/contracts';
import {
  CreatePostRequest,
  DeletePostQuery,
  PostFeedQuery,
  ListedPostResource,
  MessageResource,
  type PostNameResource,
  NeighboursQuery,
  NeighboursResource,
  type PageLinksResource,
  type PageMetaResource,
  type PageResource,
  PostCreatedResource,
  PostQuery,
  PostResource,
  PostStatisticsResource,
  PostUpdatedResource,
  UpdatePostRequest,
} from '@vitrine/contracts/api';
import {
  type Caller,
  CollectionsService,
  type ListedPost,
  PostEditingService,
  PostsService,
} from '@vitrine/domain';
import {
  postLocation,
  presentCreatedPost,
  presentPost,
  presentPostUpdate,
  API_PREFIX,
  Authenticated,
  CREATE_POST_ACCESS,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  IdempotentPost,
  MayLag,
  presentPosition,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { isView, PublicUrlsConfig } from '@vitrine/runtime';
import type { Request, Response } from 'express';
import { Answers, AnswersData, AnswersDataWithPages, AnswersPage } from '../openapi/answers';
import { AccessKey, TakesAccessKey } from './access-key';
import { referrerOf } from './referrer';
import { presentPostPage } from './post-page';

/** One post, with links and position of the page of its media. */
interface PostAnswer {
  readonly data: PostResource;
  readonly links: PageLinksResource;
  readonly meta: PageMetaResource;
}

@ApiTags('posts')
@Controller(`${API_PREFIX}/posts`)
export class PostsController {
  constructor(
    private readonly posts: PostsService,
    private readonly editing: PostEditingService,
    private readonly collections: CollectionsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'listPosts',
    summary: 'List public posts',
    description:
      'Nsfw posts are included only with `nsfw=1`. An unknown `tag` or `username` gives an empty page.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, newest first unless `sort=random`.')
  async list(
    @Query() query: PostFeedQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    const page = await this.posts.findFeedPage(query, { viewer, mayLag });
    return presentPostPage(page, query, address, this.urls);
  }

  @Get(':post')
  @Public()
  @ApiOperation({
    operationId: 'getPost',
    summary: 'Get a post with one page of its media',
    description:
      '`links` and `meta` describe the media list. For everyone except the owner and moderators the response is 404 for a private post without its `key`, for a hidden post addressed by id, and for a post without media. `HEAD` requests and prefetching do not count as views.',
  })
  @TakesAccessKey()
  @AnswersDataWithPages(PostResource, 'The post.')
  async show(
    @Param('post') reference: string,
    @Query() query: PostQuery,
    @AccessKey() key: string | null,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
    @Req() request: Request,
  ): Promise<PostAnswer> {
    const referrer = referrerOf(request, this.urls);
    const reading = { viewer, accessKey: key, isView: isView(request), referrer };
    const view = await this.posts.findForViewer(reference, reading, query);
    const { mediaPage: page, perPage: limit } = query;
    return {
      data: presentPost(view, this.urls),
      ...presentPosition(view.media.length, { page, limit, total: view.mediaCount }, address, {
        carry: { perPage: String(limit) },
        pageParameter: 'mediaPage',
      }),
    };
  }

  @Get(':post/statistics')
  @Authenticated({ scope: 'read', guest: 'too' })
  @ApiOperation({
    operationId: 'getPostStatistics',
    summary: 'Get the views of a post by day',
    description:
      'Only for the owner. The views of each of the last 30 UTC days, and the ten sites that led most people to the post. Nothing about people is stored.',
  })
  @AnswersData(PostStatisticsResource, 'The statistics.')
  async showStatistics(
    @Param('post') reference: string,
    @CurrentCaller() caller: Caller,
  ): Promise<{ data: PostStatisticsResource }> {
    return { data: await this.posts.findStatistics(reference, caller) };
  }

  @Get(':post/neighbours')
  @Public()
  @ApiOperation({
    operationId: 'getPostNeighbours',
    summary: 'Get the posts before and after a post in a feed',
    description:
      'Both are null if the feed has none, doesn’t contain the post, or can’t be seen by the caller.',
  })
  @TakesAccessKey()
  @AnswersData(NeighboursResource, 'The two posts.')
  async showNeighbours(
    @Param('post') reference: string,
    @Query() query: NeighboursQuery,
    @AccessKey() key: string | null,
    @CurrentViewer() viewer: Caller | null,
  ): Promise<{ data: NeighboursResource }> {
    const reading = { viewer, accessKey: key };
    const { previous, next } = await (query.collection
      ? this.collections.findNeighbours(query.collection, reference, query, reading)
      : this.posts.findNeighbours(reference, query, reading));
    return { data: { previous: presentNeighbour(previous), next: presentNeighbour(next) } };
  }

  @IdempotentPost()
  @Authenticated(CREATE_POST_ACCESS)
  @ApiOperation({
    operationId: 'createPost',
    summary: 'Create a post',
    description: `The media must belong to the caller. A media item may be in at most ${MAX_POSTS_OF_MEDIA} posts. Rejected media are accepted, but only the owner and moderators can see them. \`visibility: private\` generates an access key.`,
  })
  @Answers(201, PostCreatedResource, 'The post is created.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() { media_ids: mediaIds, is_nsfw: isNsfw, ...fields }: CreatePostRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PostCreatedResource> {
    const post = await this.editing.create(caller, { ...fields, mediaIds, isNsfw });
    response.set('Location', postLocation(post, this.urls));
    return { message: 'Post created.', post: presentCreatedPost(post, this.urls) };
  }

  @Patch(':post')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'updatePost',
    summary: 'Update a post',
    description:
      'Only the owner may do this. Omitted fields stay unchanged; `null` clears a field. A new access key is generated each time the post becomes private. If a moderator has rejected the post, `is_nsfw` is refused (403).',
  })
  @Answers(200, PostUpdatedResource, 'The post is updated.')
  async update(
    @Param('post') reference: string,
    @CurrentCaller() caller: Caller,
    @Body()
    {
      is_nsfw: isNsfw,
      media_order: mediaOrder,
      new_access_key: renewsAccessKey,
      ...fields
    }: UpdatePostRequest,
  ): Promise<PostUpdatedResource> {
    const changes = { ...fields, isNsfw, mediaOrder, renewsAccessKey };
    return presentPostUpdate(await this.editing.update(reference, caller, changes));
  }

  @Delete(':post')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'deletePost',
    summary: 'Delete a post',
    description:
      'Only the owner may do this. The comments and votes are deleted too. The media stay; with `media=1` those that are in no other post are deleted too, with their files.',
  })
  @Answers(200, MessageResource, 'The post is deleted.')
  async remove(
    @Param('post') reference: string,
    @Query() { media }: DeletePostQuery,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.editing.remove(reference, caller, media);
    return { message: 'Post deleted.' };
  }
}

const presentNeighbour = (listed: ListedPost | null): PostNameResource | null =>
  listed && { slug: listed.post.slug, title: listed.post.title };
