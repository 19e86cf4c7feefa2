import { Injectable } from '@nestjs/common';
import { mediaModerated } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { NotFoundError } from '../errors/domain-error';
import type { MediaEntity } from '../media/media.entity';
import { MediaProcessingService } from '../media/media-processing.service';
import { MediaService } from '../media/media.service';
import type { MediaStatusChange } from '../media/media.types';
import type { BannedHashView } from './banned-hash.repository';
import { BannedHashesService } from './banned-hashes.service';
import { DecisionLog } from './decision-log.service';
import { type Evidence, judge, type Verdict } from './moderation.rules';
import type { ModeratorRuling } from './moderator-ruling';
import type { ModerationDecisionEntity } from './moderation-decision.entity';
import { ModerationQueueRepository } from './moderation-queue.repository';

/**
 * Two messages disagree on whether a media could be processed, and its row doesn't say yet which of them holds:
 * to be tried again a little later.
 */
export class UnsettledOutcomeError extends Error {
  override readonly name = 'UnsettledOutcomeError';
  constructor(slug: string) {
    super(`Media ${slug} is both processed and failed; which of them holds isn't recorded yet`);
  }
}

/** Who decided, as the log and the event name them. */
interface Decider {
  readonly by: ModerationDecisionEntity['decidedBy'];
  readonly userId: number | null;
  readonly name: string;
  readonly note: string | null;
}

const SYSTEM: Decider = { by: 'system', userId: null, name: 'system', note: null };

/**
 * Decisions on media. Each is one transaction: the row of the log, the media's status, the status of every post
 * it is in, the moderators' queue, and `media.moderated`.
 */
@Injectable()
export class ModerationService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly media: MediaService,
    private readonly processing: MediaProcessingService,
    private readonly bannedHashes: BannedHashesService,
    private readonly decisions: DecisionLog,
    private readonly queue: ModerationQueueRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Whether automation still has its one say on a media; to be asked before its pictures are looked at. */
  async awaitsAutomation(mediaId: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const media = await this.media.lock(tx, mediaId);
      return media !== null && (await this.isAutomationDue(tx, media));
    });
  }

  /**
   * Automation's decision on a processed media: once, whatever comes twice or late, and never over a moderator's.
   * Null where there was nothing to decide. Throws `UnsettledOutcomeError`.
   */
  async decideAutomatically(mediaId: number, evidence: Evidence): Promise<Verdict | null> {
    return this.transactions.run(async (tx) => {
      const media = await this.media.lock(tx, mediaId);
      if (!media || !(await this.isAutomationDue(tx, media))) return null;
      const verdict = judge(evidence);
      await this.record(tx, media, verdict, SYSTEM);
      return verdict;
    });
  }

  /**
   * Rejects a media that can't be processed: there is nothing to show, whatever was decided before. False where it
   * is rejected already, was processed after all, or is gone. Throws `UnsettledOutcomeError`.
   */
  async rejectFailed(mediaId: number): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const media = await this.media.lock(tx, mediaId);
      if (!media || media.processed || media.moderationStatus === 'rejected') return false;
      const latest = media.decidedAt && (await this.decisions.findLatestOfMedia(tx, mediaId));
      if (latest?.decidedBy === 'system' && media.processingError === null) {
        throw new UnsettledOutcomeError(media.slug);
      }
      await this.record(tx, media, { status: 'rejected', reason: 'processing_failed', scores: null }, SYSTEM);
      return true;
    });
  }

  /**
   * A moderator's decision on a locked media, which automation never overrules, within the caller's transaction. By
   * `pending` it waits for the moderators again, as automation left it. A ban of its file and pictures goes with it
   * where the ruling says so; returns the bans that are new.
   */
  async ruleOnMedia(
    tx: Transaction,
    media: MediaEntity,
    ruling: ModeratorRuling,
  ): Promise<readonly BannedHashView[]> {
    const { status, note, ban, moderator } = ruling;
    const decider: Decider = { by: 'moderator', userId: moderator.userId, name: moderator.username, note };
    await this.record(tx, media, { status, reason: 'moderator', scores: null }, decider);
    // Last, because all bans wait for each other at the one row of banned_hashes_version.
    if (!ban) return [];
    const file = { sha256: [media.receivedSha256, media.storedSha256], perceptual: media.hashes };
    return this.bannedHashes.banFile(tx, file, note, moderator.userId);
  }

  /**
   * Sends a media through processing once more, even one that has failed for good: where that is all that speaks
   * against it, it is pending again. A moderator's decision and a ban hold. Throws `NotFoundError`.
   */
  async reprocess(slug: string): Promise<void> {
    await this.transactions.run(async (tx) => {
      const media = await this.media.lockBySlug(tx, slug);
      if (!media) throw new NotFoundError();
      const latest = await this.decisions.findLatestOfMedia(tx, media.id);
      if (media.processingError !== null && (latest?.reason ?? 'processing_failed') === 'processing_failed') {
        const verdict: Verdict = { status: 'pending', reason: 'processing_again', scores: null };
        await this.append(tx, await this.media.awaitDecision(tx, media.id), verdict, SYSTEM);
      }
      await this.processing.processAgain(tx, media);
    });
  }

  private async isAutomationDue(tx: Transaction, media: MediaEntity): Promise<boolean> {
    if (media.processingError !== null) return false;
    if (media.decidedAt === null) return true;
    const latest = await this.decisions.findLatestOfMedia(tx, media.id);
    // Rejected as failed, and yet here are its pictures: a message came late, or the processing was begun anew.
    if (latest?.reason !== 'processing_failed') return false;
    if (!media.processed) throw new UnsettledOutcomeError(media.slug);
    return true;
  }

  private async record(
    tx: Transaction,
    media: MediaEntity,
    verdict: Verdict,
    decider: Decider,
  ): Promise<void> {
    await this.append(
      tx,
      await this.media.changeModerationStatus(tx, media.id, verdict.status),
      verdict,
      decider,
    );
    if (verdict.status !== 'pending') await this.queue.remove(tx, media.id);
    else if (decider === SYSTEM) await this.queue.enqueue(tx, media.id, verdict);
    else await this.enqueueAgain(tx, media.id, verdict);
  }

  /** As automation left it: with its scores and reason, and at the place that it had where automation was unsure. */
  private async enqueueAgain(tx: Transaction, mediaId: number, ruling: Verdict): Promise<void> {
    const found = await this.decisions.findLatestVerdict(tx, mediaId);
    if (!found) return this.queue.enqueue(tx, mediaId, ruling);
    const { reason, scores, to: status, createdAt } = found;
    const since = status === 'pending' ? createdAt : undefined;
    await this.queue.enqueue(tx, mediaId, { status, reason, scores }, since);
  }

  /** The row of the log and the event of a change that has just been made. */
  private async append(
    tx: Transaction,
    change: MediaStatusChange | null,
    verdict: Verdict,
    decider: Decider,
  ): Promise<void> {
    if (!change) throw new Error('A media is gone though it is locked');
    const { mediaId, slug, from, to } = change;
    const decisionId = await this.decisions.append(tx, {
      subject: 'media',
      subjectId: mediaId,
      slug,
      decidedBy: decider.by,
      decidedByUserId: decider.userId,
      from,
      to,
      reason: verdict.reason,
      scores: verdict.scores,
      note: decider.note,
    });
    await this.outbox.add(tx, mediaModerated, {
      media_id: mediaId,
      slug,
      decision_id: decisionId,
      from,
      to,
      reason: verdict.reason,
      decided_by: decider.name,
    });
  }
}
