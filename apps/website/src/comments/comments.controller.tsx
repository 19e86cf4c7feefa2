import { Controller, ForbiddenException, Get, NotFoundException, Param, Post } from '@nestjs/common';
import { type Comment, VitrineError } from '@vitrine/client';
import { commentPath, pathWith } from '../links/paths';
import { FormResult } from '../results/form-result';
import { Page, type PageOptions } from '../results/page';
import { formProblemOf, invalidFormError } from '../results/form-problem';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText } from '../visits/form-fields';
import { queryPage, idOf, idOrNull } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { voteDirection, voteResult } from '../votes/vote';
import { CommentItem, DeletedComment } from './comment-item';
import { COMMENTS_PER_PAGE, findPageOfComment } from './load-comments';
import { EditCommentPage } from './edit-comment-page';
import { RepliesPage } from './replies-page';
import { type Thread, threadOf } from './thread';
import { UnsentCommentPage } from './unsent-comment-page';

@Controller()
export class CommentsController {
  /** Reloading the page of a comment that wasn't posted leads here; redirects to the comments. */
  @Get('p/:post/comments')
  all(@CurrentVisit() visit: Visit): FormResult {
    return new FormResult({ goTo: `${threadOf(visit).page}#comments` });
  }

  @Post('p/:post/comments')
  async create(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<FormResult | Page> {
    await visit.requireViewer();
    const thread = { ...threadOf(visit), slug };
    const parent = idOrNull(fieldText(visit, 'parent_id'));
    const content = fieldLines(visit, 'content').trim();
    let comment: Comment;
    try {
      comment = await visit.api.comments.create(
        slug,
        { content, parent_id: parent },
        { key: thread.key },
        { idempotencyKey: visit.idempotencyKey },
      );
    } catch (error) {
      const problem = formProblemOf(withFormFieldNames(error), visit);
      return commentsPage('Comment not posted', thread, {
        status: problem.status,
        body: <UnsentCommentPage {...{ thread, content, parent, problem }} />,
      });
    }
    const repliesTo = fieldText(visit, 'parent_name') || null;
    return new FormResult({
      goTo: commentPath(thread, comment.id),
      notice: parent === null ? 'Your comment was posted.' : 'Your reply was posted.',
      fragment: <CommentItem comment={comment} thread={thread} repliesTo={repliesTo} />,
      data: { id: comment.id },
    });
  }

  /** A page with a comment and its replies. Scripts load it to get the replies that a page of comments left out. */
  @Get('p/:post/comments/:comment')
  async replies(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Param('comment') sentId: string,
  ): Promise<Page> {
    const id = idOf(sentId);
    const thread = { ...threadOf(visit), slug };
    const list = visit.api.comments.on(slug);
    const page = queryPage(visit.request);
    const { key } = thread;
    const [around, replies] = await Promise.all([
      findPageOfComment(list, id, key),
      list.list({ parent_id: id, page, limit: COMMENTS_PER_PAGE, key }),
    ]);
    const comment = around.data.find((one) => one.id === id);
    if (!comment) throw new NotFoundException();
    const node = {
      comment,
      parent: null,
      replies: replies.data.map((reply) => ({ comment: reply, parent: comment, replies: [] })),
    };
    const nextPath = page < replies.meta.last_page ? pathWith(visit.path, { page: String(page + 1) }) : null;
    return commentsPage('Replies', thread, { body: <RepliesPage {...{ thread, node, nextPath }} /> });
  }

  @Post('comments/:comment/vote')
  async vote(@CurrentVisit() visit: Visit, @Param('comment') sentId: string): Promise<FormResult> {
    await visit.requireViewer();
    const id = idOf(sentId);
    const thread = threadOf(visit);
    const options = { idempotencyKey: visit.idempotencyKey };
    const query = { key: thread.key, post: thread.slug };
    const answer =
      voteDirection(visit) === 'up'
        ? await visit.api.comments.upvote(id, query, options)
        : await visit.api.comments.downvote(id, query, options);
    return voteResult(answer, `${thread.page}#c${id}`);
  }

  @Get('p/:post/comments/:comment/edit')
  async editForm(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Param('comment') sentId: string,
  ): Promise<Page> {
    const viewer = await visit.requireViewer();
    const id = idOf(sentId);
    const thread = { ...threadOf(visit), slug };
    const { content, user } = await visit.api.comments.get(id, { key: thread.key, post: slug });
    if (user?.username !== viewer.username) throw new ForbiddenException();
    return commentsPage('Edit your comment', thread, {
      scripts: [],
      body: <EditCommentPage {...{ thread, id, content }} />,
    });
  }

  @Post('p/:post/comments/:comment/edit')
  async edit(
    @CurrentVisit() visit: Visit,
    @Param('post') slug: string,
    @Param('comment') sentId: string,
  ): Promise<FormResult | Page> {
    await visit.requireViewer();
    const id = idOf(sentId);
    const thread = { ...threadOf(visit), slug };
    const content = fieldLines(visit, 'content').trim();
    try {
      await visit.api.comments.update(id, { content }, { key: thread.key, post: slug });
    } catch (error) {
      const problem = formProblemOf(error, visit);
      return commentsPage('Comment not saved', thread, {
        status: problem.status,
        scripts: [],
        body: <EditCommentPage {...{ thread, id, content, problem }} />,
      });
    }
    return new FormResult({ goTo: commentPath(thread, id), notice: 'Your comment was saved.' });
  }

  @Post('comments/:comment/delete')
  async remove(@CurrentVisit() visit: Visit, @Param('comment') sentId: string): Promise<FormResult> {
    await visit.requireViewer();
    const thread = threadOf(visit);
    await visit.api.comments.delete(idOf(sentId), { key: thread.key, post: thread.slug });
    return new FormResult({
      goTo: `${thread.page}#comments`,
      notice: 'The comment was deleted.',
      fragment: <DeletedComment />,
    });
  }
}

/** The form has no field `parent_id`, so its error is shown at the text. */
const withFormFieldNames = (error: unknown): unknown =>
  error instanceof VitrineError && error.errors['parent_id'] !== undefined
    ? invalidFormError({ content: ['The comment that you are replying to no longer exists.'] })
    : error;

const commentsPage = (
  title: string,
  thread: Thread,
  options: Pick<PageOptions, 'body' | 'status' | 'scripts'>,
): Page =>
  new Page({
    title,
    head: { robots: 'noindex' },
    secret: thread.key !== undefined,
    styles: ['post.css', 'comments.css'],
    scripts: ['comments.js'],
    ...options,
  });
