import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import { isSlug } from '@vitrine/contracts';
import { InvalidFieldsError, NotFoundError, StaleRevisionError } from '../../base/errors/domain-error';
import type { MediaEntity } from '../../media/rows/media.entity';
import type { MediaView } from '../../media/items/media.types';
import { MediaLocks } from '../../media/items/media-locks.service';
import { MediaReading } from '../../media/items/media-reading.service';
import type { ListedPost } from '../../posts/posts/post.types';
import { type PostReference, readPostReference } from '../../posts/rows/post-reference';
import { judgeRevision } from '../../posts/rows/post.rules';
import { PostsService } from '../../posts/posts/posts.service';
import { NotificationsService } from '../../community/notifications/notifications.service';
import { ReportsService } from '../reports/reports.service';
import type { BannedHashView } from '../bans/banned-hash.repository';
import { BannedHashesService } from '../bans/banned-hashes.service';
import { DecisionLog } from '../decisions/decision-log.service';
import { ModerationService } from './moderation.service';
import type { ModeratorRuling, PostRuling } from './moderation.rules';
import type { PostEntity } from '../../posts/rows/post.entity';
import { PostRulings } from '../../posts/posts/post-rulings';
import { WholePostLock } from '../../posts/posts/whole-post-lock';

/** The bans that a ruling added, so that they can be removed if it is undone. */
interface WithBans {
  readonly bannedHashes: readonly BannedHashView[];
}
/** Which post was ruled on, and the bans that the ruling added. */
type RuledPostId = WithBans & { readonly id: number };
export type RuledMedia = MediaView & WithBans;
export type RuledListedPost = ListedPost & WithBans;

/**
 * Moderators' rulings on media and posts. Each is one transaction: the entries in the log, the statuses and what is
 * derived from them, the bans, the queue, the reports and the events.
 */
@Injectable()
export class RulingsService {
  constructor(
    private readonly database: Database,
    private readonly moderation: ModerationService,
    private readonly mediaLocks: MediaLocks,
    private readonly media: MediaReading,
    private readonly posts: PostRulings,
    private readonly wholePosts: WholePostLock,
    private readonly listedPosts: PostsService,
    private readonly bannedHashes: BannedHashesService,
    private readonly reports: ReportsService,
    private readonly log: DecisionLog,
    private readonly notifications: NotificationsService,
  ) {}

  /**
   * Rules on a media item. Automation never overrules a ruling; a later ruling does. `pending` revokes rulings: the
   * media item waits for the moderators again, and the reports that this moderator's last ruling closed are open
   * again. Returns the media item after the ruling, and the new bans. Throws `NotFoundError`, and
   * `InvalidFieldsError` on a `ban` without `rejected`, and on a `status` other than `rejected` for a media item that
   * couldn't be processed.
   */
  async ruleOnMedia(slug: string, ruling: ModeratorRuling): Promise<RuledMedia> {
    assertConsistent(ruling);
    const { id, bannedHashes } = await this.database.transaction(async (tx) => {
      const media = isSlug(slug) ? await this.mediaLocks.lockBySlug(tx, slug) : null;
      if (!media) throw new NotFoundError();
      assertShowable(media, ruling);
      await this.ruleOnLockedMedia(tx, media, ruling);
      return { id: media.id, bannedHashes: ruling.ban ? await this.banFiles(tx, [media], ruling) : [] };
    });
    return { ...required(await this.media.findViews([id])), bannedHashes };
  }

  /**
   * Rules on a post, given by slug or numeric id. The ruling outranks the statuses of the post's media and what the
   * owner has set; the owner may still raise the status to nsfw. It covers the revision that it names: a change of
   * the content ends it unless it is `rejected`. `pending` revokes rulings: the status is derived from media and
   * owner again. With `ban` the files of all media are banned, and each of them is rejected. Returns the post after
   * the ruling, and the new bans. Throws as `ruleOnMedia` does, `StaleRevisionError` if the post is at another
   * revision, `InvalidFieldsError` on a missing `revision` (see `judgeRevision`), and `UnavailableError` (see
   * `WholePostLock`).
   */
  async ruleOnPost(reference: string, ruling: PostRuling): Promise<RuledListedPost> {
    assertConsistent(ruling);
    const post = readPostReference(reference);
    if (!post) throw new NotFoundError();
    const { id, bannedHashes } = await (ruling.ban
      ? this.banPost(post, ruling)
      : this.ruleOnOnePost(post, ruling));
    return {
      ...required(await this.listedPosts.findListed([id], { viewer: ruling.moderator })),
      bannedHashes,
    };
  }

  private ruleOnOnePost(post: PostReference, ruling: PostRuling): Promise<RuledPostId> {
    return this.database.transaction(async (tx) => {
      const locked = await this.posts.lock(tx, post);
      if (!locked) throw new NotFoundError();
      assertCurrent(locked, ruling);
      await this.carryOut(tx, locked, ruling);
      return { id: locked.id, bannedHashes: [] };
    });
  }

  private banPost(post: PostReference, ruling: PostRuling): Promise<RuledPostId> {
    return this.wholePosts.run(post, { alsoOtherPosts: true }, async (tx, { post: locked, mediaIds }) => {
      assertCurrent(locked, ruling);
      await this.carryOut(tx, locked, ruling);
      const banned: MediaEntity[] = [];
      for (const id of mediaIds) {
        const media = await this.mediaLocks.lock(tx, id);
        if (!media) continue;
        await this.ruleOnLockedMedia(tx, media, ruling);
        banned.push(media);
      }
      return { id: locked.id, bannedHashes: await this.banFiles(tx, banned, ruling) };
    });
  }

  private banFiles(
    tx: Transaction,
    media: readonly MediaEntity[],
    { note, moderator }: ModeratorRuling,
  ): Promise<readonly BannedHashView[]> {
    const files = media.map(({ receivedSha256, storedSha256, hashes }) => ({
      sha256: [receivedSha256, storedSha256],
      perceptual: hashes,
    }));
    return this.bannedHashes.banFiles(tx, files, note, moderator.userId);
  }

  private async ruleOnLockedMedia(
    tx: Transaction,
    media: MediaEntity,
    ruling: ModeratorRuling,
  ): Promise<void> {
    const before = await this.log.findLatestIdBy(tx, 'media', media.id, ruling.moderator.userId);
    await this.moderation.ruleOnMedia(tx, media, ruling);
    await this.settleReports(tx, 'media', media.id, ruling, before);
  }

  private async carryOut(
    tx: Transaction,
    { id, slug, revision, userId }: PostEntity,
    ruling: ModeratorRuling,
  ): Promise<void> {
    const { status, note, moderator } = ruling;
    const before = await this.log.findLatestIdBy(tx, 'post', id, moderator.userId);
    const { from, to } = await this.posts.record(tx, id, status);
    await this.log.append(tx, {
      subject: 'post',
      subjectId: id,
      slug,
      decidedBy: 'moderator',
      decidedByUserId: moderator.userId,
      from,
      to,
      reason: 'moderator',
      note,
      revision,
    });
    await this.settleReports(tx, 'post', id, ruling, before);
    await this.notifications.addDecision(tx, { ownerId: userId, postId: id, from, to, byPerson: true });
  }

  /**
   * Closes the reports of an item, or reopens them if rulings are revoked. `before` is the id of the moderator's
   * previous decision.
   */
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

/** Throws unless the ruling covers the current content (see `judgeRevision`). */
function assertCurrent({ revision }: PostEntity, ruling: PostRuling): void {
  switch (judgeRevision(ruling.status, ruling.revision, revision)) {
    case 'stale':
      throw new StaleRevisionError();
    case 'missing':
      throw new InvalidFieldsError({ revision: ['The revision field is required.'] });
    case 'covers':
  }
}

/** Throws if the ruling would show a media item that couldn't be processed. */
function assertShowable({ processingError }: MediaEntity, { status }: ModeratorRuling): void {
  if (processingError !== null && status !== 'rejected') {
    throw new InvalidFieldsError({ status: ['The selected status is invalid.'] });
  }
}

/** Throws `NotFoundError` if the item was deleted after the ruling. */
function required<View>([view]: readonly View[]): View {
  if (view === undefined) throw new NotFoundError();
  return view;
}
