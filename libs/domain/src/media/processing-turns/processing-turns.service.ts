import { Injectable } from '@nestjs/common';
import {
  type EventEnvelope,
  mediaLongProcessingRequested,
  mediaProcessingRequested,
} from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { buildEnvelope } from '@vitrine/messaging';
import { Outbox } from '@vitrine/outbox';
import type { RequestContext } from '../../base/shared-transactions/shared-transactions';
import { type ProcessableMedia, processingRequest } from '../rows/media-events';
import type { AnnouncementsDue } from '../rows/media-row.types';
import { ProcessingShareConfig } from './processing-share.config';
import {
  type EndedTurn,
  ProcessingTurnsRepository,
  type RequestedMedia,
} from './processing-turns.repository';
import {
  chooseTurns,
  estimateProcessing,
  type ProcessingLane,
  type MediaBacklog,
} from './processing-turns.rules';
import { UploadCountRepository } from './upload-count.repository';

/** Largest number of files in one transaction of a sweep. */
const SWEEP_BATCH = 100;
/** Largest number of uploaders in one sweep. */
const SWEPT_SUBJECTS = 1000;
const MAX_COUNTED = 100_000;

/**
 * The subject of media that staff have processed again: they take turns together, and their overruns count for no
 * uploader.
 */
export const STAFF = 'staff';
/** The subject of media without a turn and without an account: their uploader's address is no longer known. */
const GUESTS = 'guests';

/**
 * Uploaders take turns at the media-processors. Each has a share of files that may be requested at a time; the others
 * wait in the table until one of them ends. So the queues hold only a few files of each uploader, and first come,
 * first served is fair. Uploaders whose files exceeded their time wait behind the others for an hour.
 */
@Injectable()
export class ProcessingTurns {
  constructor(
    private readonly database: Database,
    private readonly repository: ProcessingTurnsRepository,
    private readonly uploadCounts: UploadCountRepository,
    private readonly outbox: Outbox,
    private readonly config: ProcessingShareConfig,
  ) {}

  /**
   * Requests the processing of files within the caller's transaction, or makes them wait if `subject` has its share
   * in progress. Returns the requests, which the caller adds to the outbox with its other events. Belongs to the end of a
   * transaction, because uploads of one subject wait for each other here. `contexts`: those in which the events of these
   * media are made, by id.
   */
  async enqueue(
    tx: Transaction,
    media: readonly ProcessableMedia[],
    subject: string,
    contexts?: ReadonlyMap<number, RequestContext>,
  ): Promise<readonly EventEnvelope[]> {
    const files = media.map((one) => ({ mediaId: one.id, ...estimateProcessing(one) }));
    await this.repository.lockAndEnqueue(tx, subject, files);
    return requestsOf(await this.chooseNext(tx, subject), contexts);
  }

  /**
   * Records within the caller's transaction that the processor has answered for a file, and requests the next files.
   * Does nothing if the file has no turn. `overran` counts for its uploader.
   */
  async end(tx: Transaction, mediaId: number, { overran = false } = {}): Promise<void> {
    await this.repository.lockSubjectOf(tx, mediaId);
    const ended = await this.repository.remove(tx, mediaId);
    // A file that holds up no other one is followed by none.
    const heldUpOthers = ended && (overran || ended.othersWait || ended.behind || ended.lane === 'long');
    if (heldUpOthers) await this.follow(tx, ended, overran);
  }

  /**
   * Records within the caller's transaction that quick work took too long: the file waits for a long turn, and the
   * overrun counts for its uploader. False if the file was not in progress as quick work.
   */
  async lengthen(tx: Transaction, mediaId: number): Promise<boolean> {
    const ended = await this.repository.lengthen(tx, mediaId);
    if (ended) await this.follow(tx, ended, true);
    return ended !== null;
  }

  /**
   * Requests the next files of an uploader instead of this one, whose answer can't be recorded: its message is tried
   * again and may become a dead letter, so the uploader's other files must not wait for it.
   */
  setAside(mediaId: number): Promise<void> {
    return this.database.transaction(async (tx) => {
      const subjects = await this.lockSubjectsOf(tx, [mediaId]);
      await this.repository.setAside(tx, mediaId);
      await this.requestNext(tx, subjects);
    });
  }

  /**
   * Locks the uploaders of files within the caller's transaction, and returns them. To be called before the turns of
   * the files are deleted, which name their uploaders.
   */
  async lockSubjectsOf(tx: Transaction, mediaIds: readonly number[]): Promise<readonly string[]> {
    const subjects = await this.repository.findSubjects(tx, mediaIds);
    for (const subject of subjects) await this.repository.lockSubject(tx, subject);
    return subjects;
  }

  /** Requests the next files of locked uploaders after some of their files are gone. */
  async requestNext(tx: Transaction, subjects: readonly string[]): Promise<void> {
    for (const subject of subjects) await this.publish(tx, await this.chooseNext(tx, subject));
    if (subjects.length > 0) await this.giveTurnBehind(tx);
  }

  /**
   * For the sweeper: gives out turns that became due without a message, because a penalty has ended or the share has grown.
   * Safe in many processes at once, as is `requestOverdue`.
   */
  async sweep(): Promise<void> {
    for (const subject of await this.repository.findWaitingSubjects(SWEPT_SUBJECTS)) {
      await this.database.transaction((tx) => this.giveTurns(tx, subject));
    }
  }

  /** Requests again one batch of a lane's files whose request seems to be lost; returns how many. */
  requestOverdue(lane: ProcessingLane, due: AnnouncementsDue): Promise<number> {
    return this.database.transaction(async (tx) => {
      const overdue = await this.repository.requestOverdue(tx, lane, due, SWEEP_BATCH);
      await this.publish(tx, overdue);
      return overdue.length;
    });
  }

  /** Counts the media that wait for their variants, by line, up to 100,000 in total, which takes milliseconds. */
  findBacklog(): Promise<readonly MediaBacklog[]> {
    return this.repository.findBacklog(MAX_COUNTED);
  }

  private async follow(tx: Transaction, { subject, lane }: EndedTurn, overran: boolean): Promise<void> {
    if (overran && subject !== STAFF && subject !== GUESTS) await this.uploadCounts.countOverrun(tx, subject);
    await this.giveTurns(tx, subject);
    if (lane === 'long') await this.giveTurnBehind(tx);
  }

  private async giveTurns(tx: Transaction, subject: string): Promise<void> {
    await this.repository.lockSubject(tx, subject);
    await this.publish(tx, await this.chooseNext(tx, subject));
  }

  /** Chooses the next files of a locked uploader, and records that they are requested. */
  private async chooseNext(tx: Transaction, subject: string): Promise<readonly RequestedMedia[]> {
    const turns = await this.repository.findTurns(tx, subject, this.config.share);
    if (!turns) return this.chooseBehind(tx);
    const chosen = chooseTurns(turns.inProgress, turns.waiting, this.config.share);
    if (chosen.length === 0) return [];
    return this.repository.request(
      tx,
      chosen.map(({ mediaId }) => mediaId),
    );
  }

  private async chooseBehind(tx: Transaction): Promise<readonly RequestedMedia[]> {
    await this.repository.lockBehind(tx);
    return this.repository.requestBehind(tx);
  }

  private async giveTurnBehind(tx: Transaction): Promise<void> {
    await this.publish(tx, await this.chooseBehind(tx));
  }

  private publish(tx: Transaction, requested: readonly RequestedMedia[]): Promise<void> {
    return this.outbox.addAll(tx, requestsOf(requested));
  }
}

function requestsOf(
  requested: readonly RequestedMedia[],
  contexts?: ReadonlyMap<number, RequestContext>,
): readonly EventEnvelope[] {
  return requested.map((media) => {
    const event = media.lane === 'quick' ? mediaProcessingRequested : mediaLongProcessingRequested;
    const build = (): EventEnvelope => buildEnvelope(event, processingRequest(media));
    return contexts?.get(media.id)?.(build) ?? build();
  });
}
