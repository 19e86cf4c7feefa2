import { Injectable } from '@nestjs/common';
import { commentCreated, commentDeleted, voteChanged } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { ForbiddenError, InvalidFieldsError, NotFoundError } from '../errors/domain-error';
import { PostsService } from '../posts/posts.service';
import type { Caller } from '../tokens/caller';
import { AuthorsService } from '../users/authors.service';
import type { VoteOutcome } from '../votes/vote.presenter';
import type { VoteValue } from '../votes/vote.rules';
import { VotesService } from '../votes/votes.service';
import { CommentRepository } from './comment.repository';
import { canDeleteComment, deleteFromThread, wrote } from './comment.rules';
import type { Comment, CommentView } from './comment.types';

/** A comment to be written; a reply where it names another one. */
export interface CommentDraft {
  readonly content: string;
  readonly parentId: number | null;
}

/**
 * Writing, deleting and voting on comments. A post's comments are added and removed under the lock of its row, so
 * that a thread never changes under the hands of whoever reads its shape.
 */
@Injectable()
export class CommentsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: CommentRepository,
    private readonly posts: PostsService,
    private readonly authors: AuthorsService,
    private readonly votes: VotesService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Comments on a post, given by slug or numeric id. Throws `NotFoundError`, `ForbiddenError`, and
   * `InvalidFieldsError` on `content` that is blank, and on a `parent_id` that is no comment of this post, or a
   * tombstone.
   */
  async create(
    post: string,
    caller: Caller,
    key: string | null,
    { content, parentId }: CommentDraft,
  ): Promise<CommentView> {
    if (content.trim() === '') throw new InvalidFieldsError({ content: ['The content field is required.'] });
    const comment = await this.transactions.run(async (tx) => {
      const { id: postId } = await this.posts.lockToTakePart(tx, post, caller, key);
      if (parentId !== null) await this.addReply(tx, postId, parentId);
      await this.authors.holdLiving(tx, caller.userId);
      const written = await this.repository.insert(tx, { postId, userId: caller.userId, parentId, content });
      await this.posts.changeCommentCount(tx, postId, 1);
      await this.outbox.add(tx, commentCreated, {
        comment_id: written.id,
        post_id: postId,
        parent_id: parentId,
        user_id: caller.userId,
      });
      return written;
    });
    const authors = await this.authors.findAuthors([caller.userId]);
    return { comment, author: authors.get(caller.userId) ?? null, vote: 0 };
  }

  /**
   * Deletes a comment: one's own whatever has become of its post, else as the post's owner or a moderator. Throws
   * `NotFoundError`, `ForbiddenError`.
   */
  remove(id: number, caller: Caller, key: string | null): Promise<void> {
    return this.transactions.run(async (tx) => {
      const comment = await this.require(tx, id);
      if (wrote(comment, caller)) {
        await this.posts.hold(tx, comment.postId);
      } else {
        const post = await this.posts.lockVisible(tx, comment.postId, caller, key);
        if (!canDeleteComment(comment, post, caller)) throw new ForbiddenError();
      }
      if (!(await this.removeFromThread(tx, comment))) throw new NotFoundError();
    });
  }

  /** Votes on a comment; once more takes the vote back. Throws `NotFoundError`, `ForbiddenError`. */
  vote(id: number, caller: Caller, key: string | null, value: VoteValue): Promise<VoteOutcome> {
    return this.transactions.run(async (tx) => {
      const { postId } = await this.require(tx, id);
      await this.posts.lockToTakePart(tx, postId, caller, key);
      if (!(await this.repository.lock(tx, id))) throw new NotFoundError();
      const vote = await this.votes.cast(tx, 'comment', id, caller.userId, value);
      const scores = await this.repository.changeScores(tx, [{ id, by: vote.to - vote.from }]);
      const outcome = { ...vote, score: scores.get(id) ?? 0 };
      await this.outbox.add(tx, voteChanged, {
        target: 'comment',
        target_id: id,
        user_id: caller.userId,
        ...outcome,
      });
      return outcome;
    });
  }

  /**
   * Deletes one batch of a deleted account's comments, as deleting them one by one would. Returns how many were
   * found: 0 once there are none.
   */
  async eraseCommentsOf(userId: number, batch: number): Promise<number> {
    const ids = await this.transactions.run((tx) => this.repository.findIdsOf(tx, userId, batch));
    for (const id of ids) {
      await this.transactions.run(async (tx) => {
        const comment = await this.repository.find(tx, id);
        if (!comment) return;
        await this.posts.hold(tx, comment.postId);
        await this.removeFromThread(tx, comment);
      });
    }
    return ids.length;
  }

  /**
   * Takes back one batch of a deleted account's votes on comments. Returns how many were found: 0 once there are
   * none.
   */
  eraseVotesOf(userId: number, batch: number): Promise<number> {
    return this.transactions.run(async (tx) => {
      const ids = await this.votes.findVotedOn(tx, 'comment', userId, batch);
      await this.repository.lockAll(tx, ids);
      const votes = await this.votes.withdraw(tx, 'comment', ids, userId);
      const scores = await this.repository.changeScores(
        tx,
        votes.map(({ targetId, value }) => ({ id: targetId, by: -value })),
      );
      for (const { targetId, value } of votes) {
        await this.outbox.add(tx, voteChanged, {
          target: 'comment',
          target_id: targetId,
          user_id: userId,
          from: value,
          to: 0,
          score: scores.get(targetId) ?? 0,
        });
      }
      return ids.length;
    });
  }

  /** A comment as it is before any lock; to be looked at again under those. */
  private async require(tx: Transaction, id: number): Promise<Comment> {
    const comment = await this.repository.find(tx, id);
    if (!comment) throw new NotFoundError();
    return comment;
  }

  private async addReply(tx: Transaction, postId: number, parentId: number): Promise<void> {
    const parent = await this.repository.lock(tx, parentId);
    if (parent?.postId !== postId) {
      throw new InvalidFieldsError({ parent_id: ['The selected parent_id is invalid.'] });
    }
    await this.repository.changeRepliesCount(tx, parentId, 1);
  }

  /** The post's row must be locked. Returns false where the comment is gone already. */
  private async removeFromThread(tx: Transaction, { id, postId, userId }: Comment): Promise<boolean> {
    const chain = await this.repository.lockChain(tx, id);
    if (chain.length === 0) return false;
    const { tombstone, gone, losesReply } = deleteFromThread(chain);
    if (tombstone !== null) await this.repository.makeTombstone(tx, tombstone);
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
