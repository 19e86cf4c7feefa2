import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { InvalidFieldsError, NotFoundError, StaleRevisionError } from '../../errors/domain-error';
import type { MediaEntity } from '../../media/media.entity';
import type { MediaView } from '../../media/media.presenter';
import { MediaService } from '../../media/media.service';
import type { ListedPost } from '../../posts/post.presenter';
import { PostMediaService } from '../../posts/post-media.service';
import { readPostReference } from '../../posts/post-reference';
import { judgeRevision } from '../../posts/post.rules';
import { PostsService } from '../../posts/posts.service';
import { ReportsService } from '../../reports/reports.service';
import { isSlug } from '../../slugs/slug';
import type { BannedHashView } from '../banned-hash.repository';
import { DecisionLog } from '../decision-log.service';
import { ModerationService } from '../moderation.service';
import type { ModeratorRuling, PostRuling } from '../moderator-ruling';
import { type RuledPost, RuledPostRepository } from './ruled-post.repository';

/** The bans that a ruling added: what undoing it must lift. */
interface WithBans {
  readonly bannedHashes: readonly BannedHashView[];
}
export type RuledMedia = MediaView & WithBans;
export type RuledListedPost = ListedPost & WithBans;

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
    private readonly listedPosts: PostsService,
    private readonly postMedia: PostMediaService,
    private readonly reports: ReportsService,
    private readonly log: DecisionLog,
  ) {}

  /**
   * Rules on a media; automation never overrules it, and a later ruling does. `pending` takes rulings back: it waits
   * for the moderators again, and what this moderator's last ruling closed of its reports is open. Returns the media
   * as it is then, and what bans are new. Throws `NotFoundError`, and `InvalidFieldsError` on a `ban` of what isn't rejected, and on any other `status` than that for
   * a media that couldn't be processed.
   */
  async ruleOnMedia(slug: string, ruling: ModeratorRuling): Promise<RuledMedia> {
    assertConsistent(ruling);
    const { id, bannedHashes } = await this.transactions.run(async (tx) => {
      const media = isSlug(slug) ? await this.media.lockBySlug(tx, slug) : null;
      if (!media) throw new NotFoundError();
      assertShowable(media, ruling);
      return { id: media.id, bannedHashes: await this.ruleOnLockedMedia(tx, media, ruling) };
    });
    return { ...required(await this.media.findViews([id])), bannedHashes };
  }

  /**
   * Rules on a post, given by slug or numeric id. The ruling outranks the statuses of the post's media and what the owner
   * has set; the owner may still raise it to nsfw. It covers the revision that it names: a change of the content ends it
   * unless it is `rejected`. `pending` takes rulings back: the status follows from media and owner again. A ban bans the
   * files of all its media and rejects each of them. Returns the post after that, and the new bans. Throws as
   * `ruleOnMedia` does, `StaleRevisionError` where the post is at another revision, and `InvalidFieldsError` on a
   * `revision` that is missing (see `judgeRevision`).
   */
  async ruleOnPost(reference: string, ruling: PostRuling): Promise<RuledListedPost> {
    assertConsistent(ruling);
    const { id, bannedHashes } = await this.ruleOnPostRepeatedly(reference, ruling);
    return { ...required(await this.listedPosts.findListed([id], ruling.moderator)), bannedHashes };
  }

  private async ruleOnPostRepeatedly(
    reference: string,
    ruling: PostRuling,
  ): Promise<WithBans & { readonly id: number }> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transactions.run((tx) => this.ruleOnPostOnce(tx, reference, ruling));
      } catch (error) {
        if (attempt >= TRIES || !(error instanceof PostChangedError)) throw error;
      }
    }
  }

  private async ruleOnPostOnce(
    tx: Transaction,
    reference: string,
    ruling: PostRuling,
  ): Promise<WithBans & { readonly id: number }> {
    const found = readPostReference(reference);
    const postId = found && (await this.posts.findId(tx, found));
    if (!postId) throw new NotFoundError();
    const media = ruling.ban ? await this.lockMedia(tx, postId) : [];
    const post = await this.posts.lock(
      tx,
      postId,
      media.map(({ id }) => id),
    );
    if (!post) throw new NotFoundError();
    assertCurrent(post, ruling);
    if (ruling.ban) await this.assertHolds(tx, postId, media);
    await this.carryOut(tx, post, ruling);
    const bannedHashes = [];
    for (const one of media) {
      bannedHashes.push(...(await this.ruleOnLockedMedia(tx, one, ruling)));
    }
    return { id: postId, bannedHashes };
  }

  private async lockMedia(tx: Transaction, postId: number): Promise<readonly MediaEntity[]> {
    const locked = [];
    for (const id of await this.posts.findMediaIds(tx, postId)) locked.push(await this.media.lock(tx, id));
    return locked.filter((media) => media !== null);
  }

  /** Nothing comes into a locked post, and nothing out of it. */
  private async assertHolds(tx: Transaction, postId: number, media: readonly MediaEntity[]): Promise<void> {
    const held = await this.posts.findMediaIds(tx, postId);
    if (held.join() !== media.map(({ id }) => id).join()) throw new PostChangedError();
  }

  private async ruleOnLockedMedia(
    tx: Transaction,
    media: MediaEntity,
    ruling: ModeratorRuling,
  ): Promise<readonly BannedHashView[]> {
    const { moderator } = ruling;
    const before = await this.log.findLatestIdBy(tx, 'media', media.id, moderator.userId);
    const bannedHashes = await this.moderation.ruleOnMedia(tx, media, ruling);
    await this.settleReports(tx, 'media', media.id, ruling, before);
    return bannedHashes;
  }

  private async carryOut(
    tx: Transaction,
    { id, slug, revision }: RuledPost,
    ruling: ModeratorRuling,
  ): Promise<void> {
    const { status, note, moderator } = ruling;
    const before = await this.log.findLatestIdBy(tx, 'post', id, moderator.userId);
    if (status === 'pending') await this.posts.forgetRulings(tx, id);
    else await this.posts.recordRuling(tx, id, status);
    const { from, to } = await this.postMedia.deriveAndTell(tx, id, []);
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
      revision,
    });
    await this.settleReports(tx, 'post', id, ruling, before);
  }

  /** A ruling answers what was reported; taken back, its answer is too. `before` is the moderator's ruling before. */
  private async settleReports(
    tx: Transaction,
    type: 'media' | 'post',
    id: number,
    { status, moderator }: ModeratorRuling,
    before: number | null,
  ): Promise<void> {
    if (status !== 'pending') await this.reports.close(tx, type, id, moderator.userId);
    else if (before !== null) await this.reports.reopen(tx, type, id, moderator.userId, before);
  }
}

function assertConsistent({ status, ban }: ModeratorRuling): void {
  if (ban && status !== 'rejected') {
    throw new InvalidFieldsError({ ban: ['The ban field must be false unless status is rejected.'] });
  }
}

/** A ruling covers the content that the moderator has read. */
function assertCurrent({ revision }: RuledPost, ruling: PostRuling): void {
  switch (judgeRevision(ruling.status, ruling.revision, revision)) {
    case 'stale':
      throw new StaleRevisionError();
    case 'unsaid':
      throw new InvalidFieldsError({ revision: ['The revision field is required.'] });
    case 'covers':
  }
}

/** Of a media that has failed for good there is nothing to show. */
function assertShowable({ processingError }: MediaEntity, { status }: ModeratorRuling): void {
  if (processingError !== null && status !== 'rejected') {
    throw new InvalidFieldsError({ status: ['The selected status is invalid.'] });
  }
}

/** Gone since it was ruled on, in which case there is no answer but that. */
function required<View>([view]: readonly View[]): View {
  if (view === undefined) throw new NotFoundError();
  return view;
}
