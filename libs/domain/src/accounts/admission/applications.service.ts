import { Injectable } from '@nestjs/common';
import { type ApplicationDecision, USERNAME_PATTERN } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { NotFoundError } from '../../base/errors/domain-error';
import { AccountNotices } from '../users/account-notices.service';
import { MembersService } from '../users/members.service';
import { type Application, ApplicationRepository } from './application.repository';

export interface ApplicationPage {
  /** Oldest first. */
  readonly applications: readonly Application[];
  readonly total: number;
}

/** Applications for accounts, on which staff decide. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly database: Database,
    private readonly applications: ApplicationRepository,
    private readonly members: MembersService,
    private readonly log: DecisionLog,
    private readonly notices: AccountNotices,
  ) {}

  /** One page; `page` counts from 1. */
  async findPage(page: number, limit: number): Promise<ApplicationPage> {
    const [applications, total] = await Promise.all([
      this.applications.findPage(limit, (page - 1) * limit),
      this.applications.count(),
    ]);
    return { applications, total };
  }

  /**
   * Accepts an application, so that the account can log in; or declines it, which removes the account and frees its
   * name. Throws `NotFoundError`, also if another moderator was faster.
   */
  async decide(
    username: string,
    decision: ApplicationDecision,
    reason: string | null,
    by: Caller,
  ): Promise<void> {
    const userId = USERNAME_PATTERN.test(username) ? await this.applications.findUserId(username) : null;
    if (userId === null) throw new NotFoundError();
    await this.database.transaction(async (tx) => {
      const account = await this.members.lock(tx, userId);
      if (!(await this.applications.remove(tx, userId))) throw new NotFoundError();
      await this.log.append(tx, {
        subject: 'user',
        subjectId: userId,
        slug: account.username,
        decidedBy: 'moderator',
        decidedByUserId: by.userId,
        from: 'pending',
        to: decision === 'accept' ? 'approved' : 'rejected',
        reason: 'application',
        note: reason,
      });
      if (decision === 'accept') {
        await this.notices.add(tx, userId, { what: 'application-accepted', reason });
        return;
      }
      await this.notices.addLast(tx, userId, { what: 'application-declined', reason });
      await this.members.removeApplicant(tx, userId);
    });
  }
}
