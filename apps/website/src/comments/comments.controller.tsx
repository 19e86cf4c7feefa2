import { Controller, Get, NotFoundException, Param, Post } from '@nestjs/common';
import { type Comment, VitrineError } from '@vitrine/client';
import { Outcome, Page, type PageOptions } from '../rendering/page';
import { formTroubleOf, refusal } from '../rendering/form-trouble';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText } from '../visits/form-fields';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { idOf, idOrNull } from '../visits/whole-numbers';
import { voteDirection, voteOutcome } from '../votes/vote';
import { CommentItem, DeletedComment } from './comment-item';
import { COMMENTS_PER_PAGE, pageHolding } from './load-comments';
import { RepliesPage } from './replies-page';
import { commentPath, pathWith, type Thread, threadOf } from './thread';
import { UnsentCommentPage } from './unsent-comment-page';

@Controller()
export class CommentsController {
  /** Where a reload of a comment that wasn't posted ends. */
  @Get('p/:post/comments')
  all(@CurrentVisit() visit: Visit): Outcome {
    return new Outcome({ goTo: `${threadOf(visit).page}#comments` });
  }

  @Post('p/:post/comments')
  async create(@CurrentVisit() visit: Visit, @Param('post') slug: string): Promise<Outcome | Page> {
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
      const trouble = formTroubleOf(inWordsOfTheForm(error), visit);
      return commentsPage('Not posted yet', thread, {
        status: trouble.status,
        body: <UnsentCommentPage {...{ thread, content, parent, trouble }} />,
      });
    }
    const repliesTo = fieldText(visit, 'parent_name') || null;
    return new Outcome({
      goTo: commentPath(thread, comment.id),
      notice: parent === null ? 'Your comment is posted.' : 'Your reply is posted.',
      fragment: <CommentItem comment={comment} thread={thread} repliesTo={repliesTo} />,
      data: { id: comment.id },
    });
  }

  /** A comment with the replies to it. Scripts take from it what a page of comments left out. */
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
      pageHolding(list, id, key),
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
  async vote(@CurrentVisit() visit: Visit, @Param('comment') sentId: string): Promise<Outcome> {
    await visit.requireViewer();
    const id = idOf(sentId);
    const thread = threadOf(visit);
    const options = { idempotencyKey: visit.idempotencyKey };
    const { key } = thread;
    const answer =
      voteDirection(visit) === 'up'
        ? await visit.api.comments.upvote(id, { key }, options)
        : await visit.api.comments.downvote(id, { key }, options);
    return voteOutcome(answer, `${thread.page}#c${id}`);
  }

  @Post('comments/:comment/delete')
  async remove(@CurrentVisit() visit: Visit, @Param('comment') sentId: string): Promise<Outcome> {
    await visit.requireViewer();
    const thread = threadOf(visit);
    await visit.api.comments.delete(idOf(sentId), { key: thread.key });
    return new Outcome({
      goTo: `${thread.page}#comments`,
      notice: 'The comment is deleted.',
      fragment: <DeletedComment />,
    });
  }
}

/** The form knows of no parent; it knows what it replies to. */
const inWordsOfTheForm = (error: unknown): unknown =>
  error instanceof VitrineError && error.errors['parent_id'] !== undefined
    ? refusal({ content: ['The comment that you reply to is not there any more.'] })
    : error;

const commentsPage = (title: string, thread: Thread, options: Pick<PageOptions, 'body' | 'status'>): Page =>
  new Page({
    title,
    head: { robots: 'noindex' },
    secret: thread.key !== undefined,
    styles: ['post.css', 'comments.css'],
    scripts: ['comments.js'],
    ...options,
  });
