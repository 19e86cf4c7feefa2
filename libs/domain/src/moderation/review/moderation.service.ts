import { Injectable } from '@nestjs/common';
import { type MediaProcessingFailed, mediaModerated, type MediaVariantsStored } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { AuditLog } from '../../base/audit/audit-log.service';
import { NotFoundError } from '../../base/errors/domain-error';
import type { MediaEntity } from '../../media/rows/media.entity';
import type { MediaState, Recorded } from '../../media/rows/media-row.types';
import { MediaProcessingService } from '../../media/items/media-processing.service';
import { MediaDecisions } from '../../media/items/media-decisions.service';
import { MediaLocks } from '../../media/items/media-locks.service';
import type { MediaStatusChange } from '../../media/items/media.types';
import { NotificationsService } from '../../community/notifications/notifications.service';
import { DecisionLog } from '../decisions/decision-log.service';
import { type Evidence, judge, type ModeratorRuling, type Verdict, withOwnersMark } from './moderation.rules';
import type { ModerationDecisionEntity } from '../decisions/moderation-decision.entity';
import { ModerationQueueRepository } from './moderation-queue.repository';

/** Who decided, for the log and the event. */
interface Decider {
  readonly by: ModerationDecisionEntity['decidedBy'];
  readonly userId: number | null;
  readonly name: string;
  readonly note: string | null;
}

const SYSTEM: Decider = { by: 'system', userId: null, name: 'system', note: null };

/**
 * Decisions on media. Each is one transaction: the entry in the log, the media item's status, the status of every
 * post that contains it, the moderation queue, and `media.moderated`.
 */
@Injectable()
export class ModerationService {
  constructor(
    private readonly database: Database,
    private readonly mediaLocks: MediaLocks,
    private readonly mediaDecisions: MediaDecisions,
    private readonly processing: MediaProcessingService,
    private readonly decisions: DecisionLog,
    private readonly queue: ModerationQueueRepository,
    private readonly notifications: NotificationsService,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Whether the automated decision on the media item of a message is still due; to be called before its pictures are
   * classified. Throws `ImplausibleResultError` if id and slug belong to different media items.
   */
  async awaitsAutomation(named: Pick<MediaVariantsStored, 'media_id' | 'slug'>): Promise<boolean> {
    const state = await this.processing.findNamed(named);
    // `decideAutomatically` looks again, under a lock.
    return state !== null && isAutomationDue(state);
  }

  /**
   * Makes the automated decision on a processed media item: only once, and never after a moderator's decision.
   * Returns null if no decision is due.
   */
  async decideAutomatically(mediaId: number, evidence: Evidence): Promise<Verdict | null> {
    return this.database.transaction(async (tx) => {
      const media = await this.mediaLocks.lock(tx, mediaId);
      if (!media || !isAutomationDue(media)) return null;
      const verdict = media.ownerNsfw ? withOwnersMark(judge(evidence)) : judge(evidence);
      await this.record(tx, media, verdict, SYSTEM);
      return verdict;
    });
  }

  /**
   * Records that a media item can't be processed, and rejects it, whatever was decided before, because nothing can be shown. Throws
   * `ImplausibleResultError` if the message can't be about this media item.
   */
  recordFailed(event: MediaProcessingFailed): Promise<Recorded> {
    return this.processing.recordFailed(event, async (tx, media) => {
      if (media.moderationStatus === 'rejected') return;
      await this.record(tx, media, { status: 'rejected', reason: 'processing_failed', scores: null }, SYSTEM);
    });
  }

  /**
   * Records a moderator's decision on a locked media item within the caller's transaction. Automation never overrules
   * it, and the owner's mark as adult content ends. After `pending` the media item waits for the moderators again, as
   * automation left it.
   */
  async ruleOnMedia(
    tx: Transaction,
    media: MediaEntity,
    { status, note, moderator }: ModeratorRuling,
  ): Promise<void> {
    const decider: Decider = { by: 'moderator', userId: moderator.userId, name: moderator.username, note };
    await this.record(tx, media, { status, reason: 'moderator', scores: null }, decider);
    if (media.ownerNsfw) await this.mediaDecisions.clearMark(tx, media.id);
  }

  /**
   * Has a media item processed again, even if it has failed permanently. If it was rejected only for that, it becomes
   * pending again; moderators' decisions and bans stay. For the operator. Throws `NotFoundError`.
   */
  async reprocess(slug: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const media = await this.mediaLocks.lockBySlug(tx, slug);
      if (!media) throw new NotFoundError();
      const latest = await this.decisions.findLatestOfMedia(tx, media.id);
      if (media.processingError !== null && (latest?.reason ?? 'processing_failed') === 'processing_failed') {
        const verdict: Verdict = { status: 'pending', reason: 'processing_again', scores: null };
        await this.append(tx, await this.mediaDecisions.awaitDecision(tx, media.id), verdict, SYSTEM);
      }
      await this.processing.processAgain(tx, media);
      await this.audit.append(tx, {
        by: null,
        action: 'media.reprocess',
        subject: { type: 'media', id: media.id, name: slug },
      });
    });
  }

  private async record(
    tx: Transaction,
    media: MediaEntity,
    verdict: Verdict,
    decider: Decider,
  ): Promise<void> {
    await this.append(tx, await this.mediaDecisions.apply(tx, media, verdict.status), verdict, decider);
    if (verdict.status !== 'pending') {
      // Only media on which automation has decided wait in the queue.
      if (media.decidedAt !== null) await this.queue.remove(tx, media.id);
    } else if (decider === SYSTEM) await this.queue.enqueue(tx, media.id, verdict);
    else await this.enqueueAgain(tx, media.id, verdict);
    await this.notifications.addDecision(tx, {
      ownerId: media.userId,
      mediaId: media.id,
      from: media.moderationStatus,
      to: verdict.status,
      byPerson: decider.by === 'moderator',
    });
  }

  /**
   * Adds a media item to the queue as automation left it: with its scores, its reason and, if it waited before, its
   * place.
   */
  private async enqueueAgain(tx: Transaction, mediaId: number, ruling: Verdict): Promise<void> {
    const found = await this.decisions.findLatestVerdict(tx, mediaId);
    if (!found) return this.queue.enqueue(tx, mediaId, ruling);
    const { reason, scores, to: status, createdAt } = found;
    const since = status === 'pending' ? createdAt : undefined;
    await this.queue.enqueue(tx, mediaId, { status, reason, scores }, since);
  }

  /** Adds the entry in the log and the event for a change that has just been made. */
  private async append(
    tx: Transaction,
    change: MediaStatusChange | null,
    verdict: Verdict,
    decider: Decider,
  ): Promise<void> {
    if (!change) throw new Error('A locked media item does not exist');
    const { event, from, to } = change;
    const decisionId = await this.decisions.append(tx, {
      subject: 'media',
      subjectId: event.media_id,
      slug: event.slug,
      decidedBy: decider.by,
      decidedByUserId: decider.userId,
      from,
      to,
      reason: verdict.reason,
      scores: verdict.scores,
      note: decider.note,
    });
    await this.outbox.add(tx, mediaModerated, {
      ...event,
      decision_id: decisionId,
      from,
      to,
      reason: verdict.reason,
      decided_by: decider.name,
    });
  }
}

/** A file that could not be processed is rejected when that is recorded; once it is processed again, a decision is due. */
const isAutomationDue = ({ processingError, decidedAt }: MediaState): boolean =>
  processingError === null && decidedAt === null;
