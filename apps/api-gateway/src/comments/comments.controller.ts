import { Body, Controller, Delete, Get, Param, Patch, Query, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CommentCreatedResource,
  CommentDeletedResource,
  CommentListQuery,
  CommentResource,
  CommentUpdatedResource,
  CreateCommentRequest,
  type PageResource,
  UpdateCommentRequest,
  UserCommentResource,
  UserListQuery,
} from '@vitrine/contracts/api';
import { type Caller, CommentListsService, CommentsService } from '@vitrine/domain';
import { presentComment, presentUserComment } from './comment.presenter';
import {
  API_PREFIX,
  Authenticated,
  CurrentAddress,
  CurrentCaller,
  CurrentViewer,
  IdempotentPost,
  IdPipe,
  presentPage,
  Public,
  type RequestedAddress,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData, AnswersPage } from '../openapi/answers';
import { AccessKey, PostOfComment, TakesAccessKey, TakesPostOfComment } from '../posts/access-key';

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
    summary: 'List the comments on a post',
    description:
      'A flat list that includes replies; `parent_id` names the comment that a reply answers. A deleted comment that has replies stays in the list as a tombstone. An unknown `parent_id` gives an empty page.',
  })
  @AnswersPage(CommentResource, 'One page of comments, oldest first unless `sort` says otherwise.')
  async list(
    @Param('post') post: string,
    @Query() query: CommentListQuery,
    @AccessKey() key: string | null,
    @CurrentViewer() viewer: Caller | null,
    @CurrentAddress() address: RequestedAddress,
  ): Promise<PageResource<CommentResource>> {
    const { page, limit, sort, parent_id: parentId = null } = query;
    const found = await this.lists.findPostPage(
      post,
      { viewer, accessKey: key },
      { page, limit, sort, parentId },
    );
    return presentPage(
      found.comments.map((view) => presentComment(view, this.urls)),
      { page, limit, total: found.total },
      address,
    );
  }

  @IdempotentPost('posts/:post/comments')
  @Authenticated({ scope: 'write' })
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'createComment',
    summary: 'Comment on a post',
    description:
      'Everyone who may see the post may comment on it. A private post requires its access key, unless the caller owns it. You cannot reply to a tombstone.',
  })
  @Answers(201, CommentCreatedResource, 'The comment is created.')
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
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'getComment',
    summary: 'Get a comment',
    description:
      'Its author can always read it; other callers can read it if they may see its post. If the post is hidden, everyone except the author of the comment, the owner of the post and moderators must name it by its slug in `post`, because ids can be enumerated.',
  })
  @AnswersData(CommentResource, 'The comment.')
  async show(
    @Param('comment', IdPipe) id: number,
    @CurrentViewer() viewer: Caller | null,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<{ data: CommentResource }> {
    return {
      data: presentComment(
        await this.lists.findForViewer({ id, post }, { viewer, accessKey: key }),
        this.urls,
      ),
    };
  }

  @Patch('comments/:comment')
  @Authenticated({ scope: 'write' })
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'updateComment',
    summary: 'Edit a comment',
    description:
      'Only the comment’s author may do this, while they may comment on the post: a comment on a private post requires its access key, unless the caller owns the post. `edited_at` says when the content changed last; sending the same content changes nothing.',
  })
  @Answers(200, CommentUpdatedResource, 'The comment has the new content.')
  async update(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
    @Body() { content }: UpdateCommentRequest,
  ): Promise<CommentUpdatedResource> {
    const view = await this.comments.edit({ id, post }, caller, key, content);
    return { success: true, message: 'Comment updated.', comment: presentComment(view, this.urls) };
  }

  @Delete('comments/:comment')
  @Authenticated({ scope: 'write' })
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'deleteComment',
    summary: 'Delete a comment',
    description:
      'Only the comment’s author, the owner of the post and moderators may do this. A comment that has replies becomes a tombstone, which is removed together with its last reply.',
  })
  @Answers(200, CommentDeletedResource, 'The comment is deleted.')
  async remove(
    @Param('comment', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
  ): Promise<CommentDeletedResource> {
    await this.comments.remove({ id, post }, caller, key);
    return { success: true, message: 'Comment deleted.' };
  }

  @Get('users/:username/comments')
  @Public()
  @ApiOperation({
    operationId: 'listUserComments',
    summary: 'List the comments of a user',
    description:
      'Shows comments on public posts that are not rejected; comments on nsfw posts are included with `nsfw=1`. You see all of your own comments.',
  })
  @AnswersPage(UserCommentResource, 'One page of comments, newest first.')
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
      address,
    );
  }
}
