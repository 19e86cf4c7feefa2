import { Injectable } from '@nestjs/common';
import { postUpdated } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { InvalidFieldsError, NotFoundError } from '../../errors/domain-error';
import { MediaService } from '../../media/media.service';
import { PostMediaService } from '../../posts/post-media.service';
import { readPostReference } from '../../posts/post-reference';
import { ReportsService } from '../../reports/reports.service';
import { isSlug } from '../../slugs/slug';
import { DecisionLog } from '../decision-log.service';
import { ModerationService } from '../moderation.service';
import type { ModeratorRuling } from '../moderator-ruling';
import { type PostStanding, RuledPostRepository } from './ruled-post.repository';

/** A media was added to the post, or taken out, while its media were being locked: to be begun again. */
class PostChangedError extends Error {
  override readonly name = 'PostChangedError';
}

/** Tries to catch a post between two changes of its media. */
const TRIES = 5;

/**
 * Moderators' rulings on media and posts. Each is one transaction: the rows of the log, the statuses and whatever is
 * derived from them, the bans, the end of the wait in the queue, and the events.
 */
@Injectable()
export class RulingsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly moderation: ModerationService,
    private readonly media: MediaService,
    private readonly posts: RuledPostRepository,
    private readonly postMedia: PostMediaService,
    private readonly reports: ReportsService,
    private readonly log: DecisionLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Rules on a media; automation never overrules it, and a later ruling does. Returns the media's id. Throws
   * `NotFoundError`, and `InvalidFieldsError` on a `ban` of what isn't rejected.
   */
  async ruleOnMedia(slug: string, ruling: ModeratorRuling): Promise<number> {
    assertConsistent(ruling);
    return this.transactions.run(async (tx) => {
      const media = isSlug(slug) ? await this.media.lockBySlug(tx, slug) : null;
      if (!media) throw new NotFoundError();
      await this.moderation.ruleOnMedia(tx, media, ruling);
      await this.reports.close(tx, 'media', media.id, ruling.moderator.userId);
      return media.id;
    });
  }

  /**
   * Rules on a post, given by slug or numeric id: it outranks the statuses of its media and what the owner has said,
   * who may still raise it to nsfw. A ban takes in the files of all its media and rejects each of them. Returns the
   * post's id. Throws as `ruleOnMedia` does.
   */
  async ruleOnPost(reference: string, ruling: ModeratorRuling): Promise<number> {
    assertConsistent(ruling);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.run((tx) => this.ruleOnPostOnce(tx, reference, ruling));
      } catch (error) {
        if (attempt >= TRIES || !(error instanceof PostChangedError)) throw error;
      }
    }
  }

  private async ruleOnPostOnce(tx: Transaction, reference: string, ruling: ModeratorRuling): Promise<number> {
    const found = readPostReference(reference);
    const postId = found && (await this.posts.findId(tx, found));
    if (!postId) throw new NotFoundError();
    const post = ruling.ban ? await this.banMedia(tx, postId, ruling) : await this.posts.lock(tx, postId, []);
    if (!post) throw new NotFoundError();
    await this.posts.recordRuling(tx, postId, ruling.status);
    await this.postMedia.derive(tx, postId);
    await this.tell(tx, post, ruling);
    await this.reports.close(tx, 'post', postId, ruling.moderator.userId);
    return postId;
  }

  /** Rejects and bans every media of a post, which is locked then; returns how the post stood before. */
  private async banMedia(
    tx: Transaction,
    postId: number,
    ruling: ModeratorRuling,
  ): Promise<PostStanding | null> {
    const mediaIds = await this.posts.findMediaIds(tx, postId);
    const locked = [];
    for (const id of mediaIds) locked.push(await this.media.lock(tx, id));
    const post = await this.posts.lock(tx, postId, mediaIds);
    const held = post ? await this.posts.findMediaIds(tx, postId) : mediaIds;
    if (held.join() !== mediaIds.join()) throw new PostChangedError();
    for (const media of locked.filter((one) => one !== null)) {
      await this.moderation.ruleOnMedia(tx, media, ruling);
      await this.reports.close(tx, 'media', media.id, ruling.moderator.userId);
    }
    return post;
  }

  /** The row of the log and the event of a ruling that has just been carried out. */
  private async tell(
    tx: Transaction,
    { id, moderationStatus: from }: PostStanding,
    { note, moderator }: ModeratorRuling,
  ): Promise<void> {
    const { slug, visibility, moderationStatus: to } = await this.posts.find(tx, id);
    await this.log.append(tx, {
      subject: 'post',
      subjectId: id,
      slug,
      decidedBy: 'moderator',
      decidedByUserId: moderator.userId,
      from,
      to,
      reason: 'moderator',
      scores: null,
      note,
    });
    if (from === to) return;
    await this.outbox.add(tx, postUpdated, {
      post_id: id,
      slug,
      changed: ['moderation_status'],
      visibility,
      moderation_status: to,
    });
  }
}

function assertConsistent({ status, ban }: ModeratorRuling): void {
  if (ban && status !== 'rejected') {
    throw new InvalidFieldsError({ ban: ['The ban field must be false unless status is rejected.'] });
  }
}
