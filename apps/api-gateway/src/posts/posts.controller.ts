import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CreatePostRequest,
  FeedQuery,
  ListedPostResource,
  MessageResource,
  type PageLinksResource,
  type PageMetaResource,
  type PageResource,
  PostCreatedResource,
  PostQuery,
  PostResource,
  PostUpdatedResource,
  UpdatePostRequest,
} from '@vitrine/contracts';
import {
  type Caller,
  PostEditingService,
  postLocation,
  PostsService,
  presentCreatedPost,
  presentPost,
  presentPostUpdate,
} from '@vitrine/domain';
import {
  Answers,
  AnswersDataWithPages,
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  MayLag,
  presentPosition,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { isView, PublicUrlsConfig } from '@vitrine/runtime';
import type { Request, Response } from 'express';
import { AccessKey, TakesAccessKey } from './access-key';
import { presentPostPage } from './post-page';

/** One post, with where in its media this page of them is. */
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
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'listPosts',
    summary: 'The feed of posts',
    description:
      'Public posts. Only what is safe, unless `nsfw=1`. Of an unknown `tag` or `username` there is nothing.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, the latest first unless `sort=random`.')
  async list(
    @Query() query: FeedQuery,
    @CurrentViewer() viewer: Caller | null,
    @MayLag() mayLag: boolean,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    const page = await this.posts.findFeedPage(query, viewer, mayLag);
    return presentPostPage(page, query, address, this.urls);
  }

  @Get(':post')
  @Public()
  @ApiOperation({
    operationId: 'getPost',
    summary: 'One post, with a page of its media',
    description:
      '`links` and `meta` are those of its media. A private post without its `key` is not found, nor is a hidden one by ' +
      'its id, nor a post without media: only its owner and moderators find those. `HEAD` requests and ' +
      'prefetching are not views.',
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
    const view = await this.posts.findForViewer(reference, viewer, key, query, isView(request));
    const { mediaPage: page, perPage: limit } = query;
    return {
      data: presentPost(view, this.urls),
      ...presentPosition(
        view.media.length,
        { page, limit, total: view.mediaCount },
        { api: this.urls.api, address, carry: { perPage: String(limit) }, pageParameter: 'mediaPage' },
      ),
    };
  }

  @Post()
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'createPost',
    summary: 'Make a post of media of one’s own',
    description:
      'A media may be in several posts. Rejected ones are taken and shown to the owner and moderators alone. `visibility: private` makes an access key.',
  })
  @Answers(201, PostCreatedResource, 'The post is made.')
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
    summary: 'Change a post',
    description:
      'The owner alone. Absent keeps, null clears. The access key is new each time the post becomes private. `is_nsfw` is refused (403) where a moderator has rejected the post.',
  })
  @Answers(200, PostUpdatedResource, 'The post is changed.')
  async update(
    @Param('post') reference: string,
    @CurrentCaller() caller: Caller,
    @Body() { is_nsfw: isNsfw, media_order: mediaOrder, ...fields }: UpdatePostRequest,
  ): Promise<PostUpdatedResource> {
    return presentPostUpdate(await this.editing.update(reference, caller, { ...fields, isNsfw, mediaOrder }));
  }

  @Delete(':post')
  @Authenticated({ scope: 'write', guest: 'too' })
  @ApiOperation({
    operationId: 'deletePost',
    summary: 'Delete a post',
    description: 'The owner alone. Its comments and votes go with it; its media stay.',
  })
  @Answers(200, MessageResource, 'The post is deleted.')
  async remove(@Param('post') reference: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.editing.remove(reference, caller);
    return { message: 'Post deleted.' };
  }
}
