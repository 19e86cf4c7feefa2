import { Body, Controller, Delete, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CommentCreatedResource,
  CommentDeletedResource,
  CommentListQuery,
  CommentResource,
  CreateCommentRequest,
  type PageResource,
  UserCommentResource,
  UserListQuery,
} from '@vitrine/contracts';
import {
  type Caller,
  CommentListsService,
  CommentsService,
  presentComment,
  presentUserComment,
} from '@vitrine/domain';
import {
  Answers,
  AnswersData,
  AnswersPage,
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  IdPipe,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { AccessKey, TakesAccessKey } from '../posts/access-key';

@ApiTags('comments')
@Controller(API_PREFIX)
export class CommentsController {
  constructor(
    private readonly comments: CommentsService,
    private readonly lists: CommentListsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Get('posts/:post/comments')
  @Public()
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'listComments',
    summary: 'Comments of a post',
    description:
      'A flat list: replies stand among the others and name the comment that they reply to. A deleted comment that has replies is a tombstone. Of an unknown `parent_id` there is nothing.',
  })
  @AnswersPage(CommentResource, 'One page of comments, the oldest first unless `sort` says otherwise.')
  async list(
    @Param('post') post: string,
    @Query() query: CommentListQuery,
    @AccessKey() key: string | null,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<CommentResource>> {
    const { page, limit, sort, parent_id: parentId = null } = query;
    const found = await this.lists.findPostPage(post, viewer, key, { page, limit, sort, parentId });
    return presentPage(
      found.comments.map((view) => presentComment(view, this.urls)),
      { page, limit, total: found.total },
      { api: this.urls.api, address },
    );
  }

  @Post('posts/:post/comments')
  @Authenticated({ scope: 'write' })
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'createComment',
    summary: 'Comment on a post',
    description:
      'Who may see the post may comment on it; a private one asks for its key, or ownership. A tombstone can’t be replied to.',
  })
  @Answers(201, CommentCreatedResource, 'The comment is made.')
  async create(
    @Param('post') post: string,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @Body() { content, parent_id: parentId = null }: CreateCommentRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CommentCreatedResource> {
    const view = await this.comments.create(post, caller, key, { content, parentId });
    response.set('Location', `${this.urls.api}/comments/${view.comment.id}`);
    return { success: true, comment: presentComment(view, this.urls) };
  }

  @Get('comments/:comment')
  @Public()
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'getComment',
    summary: 'One comment',
    description:
      'The account that wrote it sees it; others see it if they see its post. Comments of hidden posts are shown to ' +
      'the owner of the post and moderators, since ids can be enumerated.',
  })
  @AnswersData(CommentResource, 'The comment.')
  async show(
    @Param('comment', IdPipe) id: number,
    @CurrentViewer() viewer: Caller | null,
    @AccessKey() key: string | null,
  ): Promise<{ data: CommentResource }> {
    return { data: presentComment(await this.lists.findForViewer(id, viewer, key), this.urls) };
  }

  @Delete('comments/:comment')
  @Authenticated({ scope: 'write' })
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'deleteComment',
    summary: 'Delete a comment',
    description:
      'Who wrote it, the owner of the post, and moderators. With replies it leaves a tombstone, which goes with the last of them.',
  })
  @Answers(200, CommentDeletedResource, 'The comment is deleted.')
  async remove(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
  ): Promise<CommentDeletedResource> {
    await this.comments.remove(id, caller, key);
    return { success: true, message: 'Comment deleted.' };
  }

  @Get('users/:username/comments')
  @Public()
  @ApiOperation({
    operationId: 'listUserComments',
    summary: 'Comments of an account',
    description:
      'Others find those on public posts that are not rejected; on nsfw posts with `nsfw=1`. To oneself all are shown.',
  })
  @AnswersPage(UserCommentResource, 'One page of comments, the latest first.')
  async listOfUser(
    @Param('username') username: string,
    @Query() query: UserListQuery,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<UserCommentResource>> {
    const { page, limit } = query;
    const { comments, total } = await this.lists.findUserPage(username, viewer, query);
    return presentPage(
      comments.map((view) => presentUserComment(view, this.urls)),
      { page, limit, total },
      { api: this.urls.api, address },
    );
  }
}
