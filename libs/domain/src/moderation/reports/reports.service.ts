import { Injectable } from '@nestjs/common';
import type { ReportReason, ReportType } from '@vitrine/contracts';
import { Counters, type Limiter } from '@vitrine/counters';
import { type Transaction, Database } from '@vitrine/database';
import { sqlState } from '@vitrine/runtime';
import { AuditLog } from '../../base/audit/audit-log.service';
import type { Viewer } from '../../base/access/viewer';
import {
  DomainError,
  InvalidFieldsError,
  NotFoundError,
  TooManyRequestsError,
} from '../../base/errors/domain-error';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { ProofOfWorkService } from '../../sign-in/proof-of-work/proof-of-work.service';
import { ReportTargets } from './report-targets';
import { type OwnReport, ReportRepository } from './report.repository';

/** The most open reports of one account, so that nobody fills the queue of the moderators alone. */
export const MAX_OPEN_REPORTS = 100;
/** The most open reports of visitors without an account about one item; more tell moderators nothing new. */
const MAX_OF_VISITORS = 20;
/** Reports that one address may send without an account in an hour. */
const VISITORS_PER_HOUR = 10;
/** Seconds after which moderators may have closed some. */
const RETRY_AFTER = 3600;

/** A report as the user makes it. */
export interface Complaint {
  readonly type: ReportType;
  /** The slug of a media item, slug or id of a post, id of a comment, or username. */
  readonly target: string;
  readonly reason: ReportReason;
  readonly details: string | null;
  /** The slug or id of the post of a comment; null if the reporter names only the comment. */
  readonly post?: string | null;
}

/** What a report without an account needs in addition. */
export interface VisitorsReport {
  readonly clientKey: string;
  /** Where moderators can answer. */
  readonly contact: string | null;
  readonly proof: string | null;
  /** The key of a private post. */
  readonly key: string | null;
}

const invalidTarget = (): InvalidFieldsError =>
  new InvalidFieldsError({ target: ['The selected target is invalid.'] });

/** Runs a report; an item that is deleted, or that the reporter can't see, is an invalid `target`. */
async function refuseMissing<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const isMissing = error instanceof DomainError && error.code === 'not_found';
    throw isMissing || sqlState(error) === '23503' ? invalidTarget() : error;
  }
}

/** Reports to the moderators. An item with an open report is in the moderation queue. */
@Injectable()
export class ReportsService {
  private readonly visitors: Limiter;

  constructor(
    private readonly database: Database,
    private readonly repository: ReportRepository,
    private readonly targets: ReportTargets,
    private readonly authors: AuthorsService,
    private readonly audit: AuditLog,
    private readonly proofs: ProofOfWorkService,
    counters: Counters,
  ) {
    this.visitors = counters.limiter({
      name: 'reports',
      points: VISITORS_PER_HOUR,
      windowSeconds: RETRY_AFTER,
    });
  }

  /**
   * Reports an item that the reporter can see, with `key` for one on a private post. Reporting the same item again
   * changes nothing. Returns the report's id. Throws `InvalidFieldsError` on a `target` that the reporter can't see, and
   * `TooManyRequestsError` if the reporter has as many open reports as one account may have.
   */
  async report(
    complaint: Complaint,
    reporter: NonNullable<Viewer>,
    key: string | null = null,
  ): Promise<number> {
    const { type, reason, details } = complaint;
    return refuseMissing(async () => {
      const reading = { viewer: reporter, accessKey: key };
      const targetId = await this.targets.find(type, complaint.target, reading, complaint.post);
      return this.database.transaction(async (tx) => {
        const report = { reporterId: reporter.userId, type, targetId, reason, details };
        const id = await this.repository.insertOrFind(tx, report);
        if (id === null) throw invalidTarget();
        if (await this.repository.hasMoreOpen(tx, reporter.userId, MAX_OPEN_REPORTS)) {
          throw new TooManyRequestsError(RETRY_AFTER);
        }
        await this.authors.holdLiving(tx, reporter.userId);
        return id;
      });
    });
  }

  /**
   * As `report`, for a visitor without an account. `clientKey` is the visitor's address. If an item has many such reports
   * already, another one is not stored. Throws `InvalidFieldsError` also on `proof_of_work`, and `TooManyRequestsError`.
   */
  async reportAsVisitor(
    { type, target, post, ...words }: Complaint,
    { clientKey, contact, proof, key }: VisitorsReport,
  ): Promise<void> {
    await this.proofs.accept(proof, 'report');
    const { exceeded } = await this.visitors.consume(clientKey);
    if (exceeded) throw new TooManyRequestsError(RETRY_AFTER);
    await refuseMissing(async () => {
      const targetId = await this.targets.find(type, target, { viewer: null, accessKey: key }, post);
      await this.database.transaction(async (tx) => {
        if (await this.repository.hasMostOfVisitors(tx, type, targetId, MAX_OF_VISITORS)) return;
        await this.repository.insertOrFind(tx, { ...words, reporterId: null, type, targetId, contact });
      });
    });
  }

  /** A report of the caller. Throws `NotFoundError`. */
  async findOwn(id: number, reporter: NonNullable<Viewer>): Promise<OwnReport> {
    const report = await this.repository.findOwn(id, reporter.userId);
    if (!report) throw new NotFoundError();
    return report;
  }

  /**
   * Closes the open reports of an item without a ruling. Throws `NotFoundError` if none is open.
   */
  async dismiss(type: ReportType, target: string, moderator: NonNullable<Viewer>): Promise<void> {
    const targetId = await this.targets.find(type, target, { viewer: moderator });
    await this.database.transaction(async (tx) => {
      const closed = await this.close(tx, type, targetId, moderator.userId);
      if (closed === 0) throw new NotFoundError();
      await this.audit.append(tx, {
        by: moderator,
        action: 'report.dismiss',
        subject: { type, id: targetId, name: target },
        detail: { reports: closed },
      });
    });
  }

  /**
   * Closes the open reports of an item within the transaction in which a moderator (`by`), or the operator (null),
   * rules on it; returns how many.
   */
  close(tx: Transaction, type: ReportType, targetId: number, by: number | null): Promise<number> {
    return this.repository.close(tx, type, targetId, by);
  }

  /**
   * Reopens the reports that a moderator (`by`) closed with a decision on an item, within the transaction that
   * revokes the decision. They are found by their time, which is that of the decision.
   */
  reopen(tx: Transaction, type: ReportType, targetId: number, by: number, decisionId: number): Promise<void> {
    return this.repository.reopen(tx, type, targetId, by, decisionId);
  }

  /** Removes the reports by a user and of a user. */
  removeOfUser(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeOfUser(tx, userId);
  }
}
