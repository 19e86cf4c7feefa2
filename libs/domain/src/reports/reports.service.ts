import { Injectable } from '@nestjs/common';
import type { ReportReason, ReportType } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { sqlState } from '@vitrine/runtime';
import { DomainError, InvalidFieldsError, NotFoundError } from '../errors/domain-error';
import type { Viewer } from '../media/media.rules';
import { AuthorsService } from '../users/authors.service';
import { ReportTargets } from './report-targets';
import { type OwnReport, ReportRepository } from './report.repository';

/** What somebody has to say of something. */
export interface Complaint {
  readonly type: ReportType;
  /** Slug of a media, slug or id of a post, id of a comment, username. */
  readonly target: string;
  readonly reason: ReportReason;
  readonly details: string | null;
}

const invalidTarget = (): InvalidFieldsError =>
  new InvalidFieldsError({ target: ['The selected target is invalid.'] });

/** What people report to the moderators. An open report puts what it is about into the moderators' queue. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: ReportRepository,
    private readonly targets: ReportTargets,
    private readonly authors: AuthorsService,
  ) {}

  /**
   * Reports something that the reporter can see, by `key` where it takes one. Once only: again changes nothing. Returns
   * the report's id. Throws `InvalidFieldsError` on a `target` that doesn't exist for the reporter.
   */
  async report(
    complaint: Complaint,
    reporter: NonNullable<Viewer>,
    key: string | null = null,
  ): Promise<number> {
    const { type, reason, details } = complaint;
    try {
      const targetId = await this.targets.find(type, complaint.target, reporter, key);
      return await this.transactions.run(async (tx) => {
        const report = { reporterId: reporter.userId, type, targetId, reason, details };
        const id = await this.repository.insertOrFind(tx, report);
        if (id === null) throw invalidTarget();
        await this.authors.holdLiving(tx, reporter.userId);
        return id;
      });
    } catch (error) {
      // Gone, or never there for this reporter.
      const isMissing = error instanceof DomainError && error.code === 'not_found';
      throw isMissing || sqlState(error) === '23503' ? invalidTarget() : error;
    }
  }

  /** One of an account's own reports. Throws `NotFoundError`. */
  async findOwn(id: number, reporter: NonNullable<Viewer>): Promise<OwnReport> {
    const report = await this.repository.findOwn(id, reporter.userId);
    if (!report) throw new NotFoundError();
    return report;
  }

  /**
   * Closes what was reported of something, by a moderator who leaves it as it is. Throws `NotFoundError` where nothing
   * is open.
   */
  async dismiss(type: ReportType, target: string, moderator: NonNullable<Viewer>): Promise<void> {
    const targetId = await this.targets.find(type, target, moderator, null);
    const closed = await this.transactions.run((tx) => this.close(tx, type, targetId, moderator.userId));
    if (closed === 0) throw new NotFoundError();
  }

  /**
   * Closes what was reported of something within the transaction in which a moderator (`by`) rules on it; returns how
   * many reports were open.
   */
  close(tx: Transaction, type: ReportType, targetId: number, by: number): Promise<number> {
    return this.repository.close(tx, type, targetId, by);
  }

  /**
   * Opens the reports again that a moderator (`by`) closed with a decision on something, within the transaction that
   * takes the decision back. Both are recorded at one moment, by which they are found.
   */
  reopen(tx: Transaction, type: ReportType, targetId: number, by: number, decisionId: number): Promise<void> {
    return this.repository.reopen(tx, type, targetId, by, decisionId);
  }

  /** Removes what an account has reported and what was reported of it. */
  removeOfUser(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeOfUser(tx, userId);
  }
}
