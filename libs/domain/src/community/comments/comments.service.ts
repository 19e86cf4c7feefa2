import { Injectable } from '@nestjs/common';
import { commentCreated, commentDeleted, commentUpdated, isBlank } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import {
  AccountLimitedError,
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
} from '../../base/errors/domain-error';
import { PostsService } from '../../posts/posts/posts.service';
import type { Caller } from '../../base/access/caller';
import { AuditLog } from '../../base/audit/audit-log.service';
import { AccountStatesService } from '../../accounts/states/account-states.service';
import { AuthorsService } from '../../accounts/authors/authors.service';
import type { VoteOutcome, PresentedBallot } from '../votes/vote.rules';
import { NotificationsService } from '../notifications/notifications.service';
import { RelationsService } from '../relations/relations.service';
import { VotesService } from '../votes/votes.service';
import { CommentRepository } from './comment.repository';
import { canDeleteComment, canSeeComment, deleteFromThread, nameOfPost, isAuthorOf } from './comment.rules';
import type { Comment, CommentView, NamedComment } from './comment.types';

/** A comment to write. */
export interface CommentDraft {
  readonly content: string;
  readonly parentId: number | null;
}

/**
 * Writes, edits, deletes and votes on comments. Comments of a post are added and removed under the lock of the post's row,
 * so that its threads don't change in the meantime.
 */
@Injectable()
export class CommentsService {
  constructor(
    private readonly database: Database,
    private readonly repository: CommentRepository,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly states: AccountStatesService,
    private readonly votes: VotesService,
    private readonly relations: RelationsService,
    private readonly notifications: NotificationsService,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Adds a comment to a post, given by slug or numeric id. Throws `NotFoundError`, `ForbiddenError`,
   * `AccountLimitedError`, and `InvalidFieldsError` for blank `content` and for a `parent_id` that isn't a comment of
   * this post or is a tombstone, or whose author and the caller don't see each other.
   */
  async create(
    post: string,
    caller: Caller,
    key: string | null,
    { content, parentId }: CommentDraft,
  ): Promise<CommentView> {
    requireContent(content);
    const comment = await this.database.transaction(async (tx) => {
      const reading = { viewer: caller, accessKey: key };
      const { id: postId, userId: owner } = await this.posts.lockToTakePart(tx, post, reading);
      await this.assertMayComment(tx, caller, owner);
      const answered = parentId === null ? null : await this.addReply(tx, postId, parentId, caller);
      await this.authors.holdLiving(tx, caller.userId);
      const written = await this.repository.insert(tx, { postId, userId: caller.userId, parentId, content });
      await this.posts.changeCommentCount(tx, postId, 1);
      await this.outbox.add(tx, commentCreated, {
        comment_id: written.id,
        post_id: postId,
        parent_id: parentId,
        user_id: caller.userId,
      });
      await this.notify(tx, written, [
        ['reply', answered],
        ['comment', owner === answered ? null : owner],
        ...(await this.mentions(content)),
      ]);
      return written;
    });
    const authors = await this.authors.findAuthors([caller.userId]);
    return { comment, author: authors.get(caller.userId) ?? null, vote: 0 };
  }

  /**
   * Changes the content of a comment. Only its author may do this, and only while they may comment on the post. The
   * same content changes nothing. Throws `NotFoundError`, also for tombstones; `ForbiddenError`;
   * `AccountLimitedError`; and `InvalidFieldsError` for blank `content`.
   */
  async edit(
    { id, post: named }: NamedComment,
    caller: Caller,
    key: string | null,
    content: string,
  ): Promise<CommentView> {
    requireContent(content);
    const comment = await this.database.transaction(async (tx) => {
      const found = await this.require(tx, id, caller);
      const reading = { viewer: caller, accessKey: key };
      if (!isAuthorOf(found, caller)) {
        const post = await this.posts.lockVisible(tx, nameOfPost(found, named), reading);
        throw post.id === found.postId ? new ForbiddenError() : new NotFoundError();
      }
      await this.assertMayComment(tx, caller, await this.posts.holdToTakePart(tx, found.postId, reading));
      const before = await this.repository.lock(tx, id);
      if (!before) throw new NotFoundError();
      if (before.content === content) return before;
      await this.outbox.add(tx, commentUpdated, {
        comment_id: id,
        post_id: before.postId,
        parent_id: before.parentId,
        user_id: caller.userId,
      });
      const changed = await this.repository.changeContent(tx, id, content);
      await this.notify(tx, changed, await this.mentions(content, before.content));
      return changed;
    });
    const [authors, votes] = await Promise.all([
      this.authors.findAuthors([caller.userId]),
      this.votes.findVotes(caller.userId, 'comment', [id]),
    ]);
    return { comment, author: authors.get(caller.userId) ?? null, vote: votes.get(id) ?? 0 };
  }

  /**
   * Deletes a comment. Its author may do so even if the post can't be seen any more; the owner of the post and
   * moderators may too. Others must be able to see the post as `named` names it. Throws `NotFoundError`, `ForbiddenError`.
   */
  remove({ id, post: named }: NamedComment, caller: Caller, key: string | null): Promise<void> {
    return this.database.transaction(async (tx) => {
      const comment = await this.require(tx, id, caller);
      let asStaff = false;
      if (isAuthorOf(comment, caller)) {
        await this.posts.hold(tx, comment.postId);
      } else {
        const post = await this.posts.lockVisible(tx, nameOfPost(comment, named), {
          viewer: caller,
          accessKey: key,
        });
        if (post.id !== comment.postId) throw new NotFoundError();
        if (!canDeleteComment(comment, post, caller)) throw new ForbiddenError();
        asStaff = post.userId !== caller.userId;
      }
      if (!(await this.removeFromThread(tx, comment))) throw new NotFoundError();
      if (asStaff) await this.auditRemoval(tx, comment, caller);
    });
  }

  /**
   * Votes on a comment, or removes a vote, as the ballot says. The caller must be able to see the post; the comment names a
   * hidden one too. Throws `NotFoundError`, `ForbiddenError`.
   */
  vote(
    { id, post: named }: NamedComment,
    caller: Caller,
    { accessKey, ...ballot }: PresentedBallot,
  ): Promise<VoteOutcome> {
    return this.database.transaction(async (tx) => {
      const comment = await this.require(tx, id, caller);
      const reading = { viewer: caller, accessKey };
      const post = await this.posts.lockToTakePart(tx, named ?? { ofComment: comment.postId }, reading);
      if (post.id !== comment.postId) throw new NotFoundError();
      const locked = await this.repository.lock(tx, id);
      if (!locked) throw new NotFoundError();
      await this.relations.assertReachable(tx, caller, locked.userId);
      const voted = { target: 'comment', id, score: locked.score } as const;
      return this.votes.cast(tx, voted, { userId: caller.userId, ballot }, this.repository);
    });
  }

  /**
   * Deletes up to `batch` comments of a deleted account, each as `remove` does. Returns the number found: 0 if none
   * are left.
   */
  async eraseCommentsOf(userId: number, batch: number): Promise<number> {
    const ids = await this.database.transaction((tx) => this.repository.findIdsOf(tx, userId, batch));
    for (const id of ids) {
      await this.database.transaction(async (tx) => {
        const comment = await this.repository.find(tx, id);
        if (!comment) return;
        await this.posts.hold(tx, comment.postId);
        await this.removeFromThread(tx, comment);
      });
    }
    return ids.length;
  }

  /**
   * Removes up to `batch` votes of a deleted account on comments. Returns the number found: 0 if none are left.
   */
  eraseVotesOf(userId: number, batch: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      const ids = await this.votes.findVotedOn(tx, 'comment', userId, batch);
      await this.repository.lockAll(tx, ids);
      await this.votes.withdraw(tx, 'comment', ids, userId, this.repository);
      return ids.length;
    });
  }

  /** A comment, without a lock: to be read again once it is locked. */
  private async require(tx: Transaction, id: number, caller: Caller): Promise<Comment> {
    const comment = await this.repository.find(tx, id);
    if (!comment || !canSeeComment(comment, caller)) throw new NotFoundError();
    return comment;
  }

  /** Throws `AccountLimitedError` if the caller is limited and the post is of somebody else. */
  private async assertMayComment(tx: Transaction, caller: Caller, ownerId: number | null): Promise<void> {
    if (ownerId === caller.userId) return;
    if ((await this.states.findRestriction(tx, caller.userId)) !== null) throw new AccountLimitedError();
  }

  /** Whom a comment names. */
  private async mentions(
    content: string,
    before: string | null = null,
  ): Promise<(readonly ['mention', number])[]> {
    return (await this.notifications.findMentioned(content, before)).map((id) => ['mention', id]);
  }

  /** Tells the author of the comment that is answered, the owner of the post, and whom it names, in the order of their ids. */
  private async notify(
    tx: Transaction,
    { id, postId, userId }: Comment,
    receivers: readonly (readonly ['reply' | 'comment' | 'mention', number | null])[],
  ): Promise<void> {
    for (const [kind, receiver] of [...receivers].sort(([, one], [, other]) => (one ?? 0) - (other ?? 0))) {
      await this.notifications.add(tx, { userId: receiver, kind, actorId: userId, postId, commentId: id });
    }
  }

  /** Returns the author of the comment that is answered. */
  private async addReply(
    tx: Transaction,
    postId: number,
    parentId: number,
    caller: Caller,
  ): Promise<number | null> {
    const parent = await this.repository.lock(tx, parentId);
    if (
      parent?.postId !== postId ||
      parent.isHidden ||
      !(await this.relations.isReachable(tx, caller, parent.userId))
    ) {
      throw new InvalidFieldsError({ parent_id: ['The selected parent_id is invalid.'] });
    }
    await this.repository.changeRepliesCount(tx, parentId, 1);
    return parent.userId;
  }

  private auditRemoval(tx: Transaction, { id, postId, userId }: Comment, by: Caller): Promise<void> {
    const subject = { type: 'comment', id, name: String(id) } as const;
    const detail = { post_id: postId, user_id: userId };
    return this.audit.append(tx, { by, action: 'comment.delete', subject, detail });
  }

  /** The post's row must be locked. Returns false if the comment has been deleted already. */
  private async removeFromThread(tx: Transaction, { id, postId, userId }: Comment): Promise<boolean> {
    const chain = await this.repository.lockChain(tx, id);
    if (chain.length === 0) return false;
    const { tombstone, gone, losesReply } = deleteFromThread(chain);
    if (tombstone !== null) {
      await this.repository.makeTombstone(tx, tombstone);
      await this.notifications.removeOfComment(tx, tombstone);
    }
    if (gone.length > 0) await this.repository.remove(tx, gone);
    if (losesReply !== null) await this.repository.changeRepliesCount(tx, losesReply, -1);
    await this.posts.changeCommentCount(tx, postId, -1);
    await this.outbox.add(tx, commentDeleted, {
      comment_id: id,
      post_id: postId,
      user_id: userId,
      tombstone: tombstone !== null,
    });
    return true;
  }
}

function requireContent(content: string): void {
  if (isBlank(content)) throw new InvalidFieldsError({ content: ['The content field is required.'] });
}
