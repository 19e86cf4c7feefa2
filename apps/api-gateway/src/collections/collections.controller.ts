import { Body, Controller, Delete, Get, Param, Patch, Put, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { MAX_COLLECTION_POSTS, MAX_COLLECTIONS } from '@vitrine/contracts';
import {
  CollectionAnswer,
  CollectionListQuery,
  CollectionPostsQuery,
  CollectionResource,
  CreateCollectionRequest,
  ListedPostResource,
  MessageResource,
  type PageResource,
  UpdateCollectionRequest,
} from '@vitrine/contracts/api';
import { type Caller, CollectionsService, type CollectionView } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  IdempotentPost,
  presentAuthor,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';
import { presentPostPage } from '../posts/post-page';

@ApiTags('collections')
@Controller(API_PREFIX)
export class CollectionsController {
  constructor(
    private readonly collections: CollectionsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('me/collections')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'listCollections',
    summary: 'List your collections',
    description: 'The first one holds your saved posts; its slug may be written `saved`.',
  })
  @AnswersData([CollectionResource], 'All your collections, the latest first after the saved posts.')
  async list(
    @CurrentCaller() caller: Caller,
    @Query() { post }: CollectionListQuery,
  ): Promise<{ data: CollectionResource[] }> {
    const found = await this.collections.list(caller, post);
    return { data: found.map((view) => this.present(view)) };
  }

  @IdempotentPost('me/collections')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'createCollection',
    summary: 'Create a collection',
    description: `An account can have at most ${MAX_COLLECTIONS} collections, each with at most ${MAX_COLLECTION_POSTS} posts.`,
  })
  @Answers(201, CollectionAnswer, 'The collection is created.')
  async create(
    @CurrentCaller() caller: Caller,
    @Body() { name, visibility = 'private' }: CreateCollectionRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CollectionAnswer> {
    const view = await this.collections.create(caller, { name, visibility });
    response.set('Location', `${this.urls.api}/collections/${view.collection.slug}`);
    return { data: this.present(view) };
  }

  @Get('collections/:collection')
  @Public()
  @ApiOperation({
    operationId: 'getCollection',
    summary: 'Get a collection',
    description: 'The private collection of another account is 404.',
  })
  @AnswersData(CollectionResource, 'The collection.')
  async show(
    @Param('collection') slug: string,
    @CurrentViewer() viewer: Caller | null,
  ): Promise<{ data: CollectionResource }> {
    return { data: this.present(await this.collections.find(slug, viewer)) };
  }

  @Patch('collections/:collection')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'updateCollection',
    summary: 'Change a collection',
    description: 'Only its owner may do this. Omitted fields stay unchanged.',
  })
  @Answers(200, CollectionAnswer, 'The collection is changed.')
  async update(
    @Param('collection') slug: string,
    @CurrentCaller() caller: Caller,
    @Body() { name, visibility }: UpdateCollectionRequest,
  ): Promise<CollectionAnswer> {
    return { data: this.present(await this.collections.update(slug, caller, { name, visibility })) };
  }

  @Delete('collections/:collection')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'deleteCollection',
    summary: 'Delete a collection',
    description: 'Only its owner may do this. Its posts stay.',
  })
  @Answers(200, MessageResource, 'The collection is deleted.')
  async remove(@Param('collection') slug: string, @CurrentCaller() caller: Caller): Promise<MessageResource> {
    await this.collections.remove(slug, caller);
    return { message: 'Collection deleted.' };
  }

  @Get('collections/:collection/posts')
  @Public()
  @ApiOperation({
    operationId: 'listCollectionPosts',
    summary: 'List the posts of a collection',
    description:
      'Posts that cannot be seen at present are left out, and for others than its owner also posts that are in no feed; `total` counts them all the same.',
  })
  @AnswersPage(ListedPostResource, 'One page of posts, those saved last first.')
  async listPosts(
    @Param('collection') slug: string,
    @Query() query: CollectionPostsQuery,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<ListedPostResource>> {
    const page = await this.collections.findPosts(slug, viewer, query);
    return presentPostPage(page, query, address, this.urls);
  }

  @Put('collections/:collection/posts/:post')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'savePost',
    summary: 'Put a post into a collection',
    description: 'Idempotent. Private posts of other accounts are 404. A full collection is an error (422).',
  })
  @ApiResponse({ status: 422 })
  @Answers(200, MessageResource, 'The post is in the collection.')
  async addPost(
    @Param('collection') slug: string,
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.collections.addPost(slug, caller, post);
    return { message: 'Post saved.' };
  }

  @Delete('collections/:collection/posts/:post')
  @Authenticated({ scope: 'write' })
  @ApiOperation({
    operationId: 'unsavePost',
    summary: 'Take a post out of a collection',
    description: 'Idempotent.',
  })
  @Answers(200, MessageResource, 'The post is not in the collection.')
  async removePost(
    @Param('collection') slug: string,
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
  ): Promise<MessageResource> {
    await this.collections.removePost(slug, caller, post);
    return { message: 'Post removed.' };
  }

  private present({ collection, owner, contains }: CollectionView): CollectionResource {
    return {
      slug: collection.slug,
      name: collection.name,
      visibility: collection.visibility,
      post_count: collection.postCount,
      created_at: collection.createdAt.toISOString(),
      page_url: `${this.urls.site}/c/${collection.slug}`,
      user: presentAuthor(owner, this.urls),
      ...(contains !== undefined && { contains }),
    };
  }
}
