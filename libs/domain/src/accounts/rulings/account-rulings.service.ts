import { Injectable } from '@nestjs/common';
import { type AccountState, type Role, userModerated } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import type { Caller } from '../../base/access/caller';
import type { AccountStanding, NewStanding } from '../states/account-standing';
import { AccountStatesService } from '../states/account-states.service';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { ForbiddenError, InvalidFieldsError } from '../../base/errors/domain-error';
import { FeedsService } from '../../posts/feeds/feeds.service';
import { ReportsService } from '../../moderation/reports/reports.service';
import { TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountNotices } from '../users/account-notices.service';
import { MembersService } from '../users/members.service';
import { UsersService } from '../users/users.service';
import { Relisting } from './relisting';

const RANK: Readonly<Record<Role, number>> = { user: 0, moderator: 1, admin: 2 };

/** Whether staff with the role `actor` may rule on accounts with the role `target`: only on lower ones. */
export const outranks = (actor: Role, target: Role): boolean => RANK[actor] > RANK[target];

/** A ruling on an account. */
export interface AccountRuling {
  readonly state: AccountState;
  /** Told to the account's owner. Required unless the account becomes active. */
  readonly reason: string | null;
  /** When the account becomes active by itself (RFC 3339); null if it doesn't. */
  readonly until: string | null;
  /** The moderator; null for the operator's command. */
  readonly by: Caller | null;
}

/** An account as moderators see it. */
export interface ModeratedAccount extends AccountStanding {
  readonly username: string;
  readonly role: Role;
  readonly createdAt: Date;
  /** All posts, whatever their visibility. */
  readonly postCount: number;
  readonly mediaCount: number;
}

/**
 * Rulings on accounts. Each is one transaction: the state, the entry in the log, the reports and the event. It holds
 * for all processes at once; `Relisting` then takes the account's things out of the feeds, or puts them back.
 */
@Injectable()
export class AccountRulings {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly states: AccountStatesService,
    private readonly tokens: TokensService,
    private readonly feeds: FeedsService,
    private readonly reports: ReportsService,
    private readonly log: DecisionLog,
    private readonly notices: AccountNotices,
    private readonly relisting: Relisting,
    private readonly outbox: Outbox,
  ) {}

  /** A member by username, ignoring case. Throws `NotFoundError`. */
  async find(username: string): Promise<ModeratedAccount> {
    const { id, username: name, role, createdAt } = await this.users.findByUsername(username);
    const [standing, postCount, mediaCount] = await Promise.all([
      this.states.find(id),
      this.feeds.count({ items: 'posts', audience: 'owner', userId: id }),
      this.feeds.count({ items: 'media', audience: 'owner', userId: id }),
    ]);
    return { username: name, role, createdAt, ...standing, postCount, mediaCount };
  }

  /**
   * Changes the state of a member, given by username, and closes the open reports on it. A later ruling replaces an
   * earlier one. Throws `NotFoundError`; `ForbiddenError` if the moderator's role isn't higher than the account's;
   * and `InvalidFieldsError` on a missing `reason`, on an `until` that has passed or comes with `active`, and on a
   * `state` that suspends the only admin.
   */
  async rule(username: string, ruling: AccountRuling): Promise<ModeratedAccount> {
    const standing = readStanding(ruling);
    const { id } = await this.users.findByUsername(username);
    await this.database.transaction((tx) => this.carryOut(tx, id, standing, ruling));
    this.tokens.forgetBearer(id);
    await this.relisting.runAtOnce(id);
    return this.find(username);
  }

  private async carryOut(
    tx: Transaction,
    userId: number,
    standing: NewStanding,
    { reason, by }: AccountRuling,
  ): Promise<void> {
    await this.states.beginRelisting(tx, userId);
    const admins = by === null ? await this.members.lockActiveAdmins(tx) : [];
    const account = await this.members.lock(tx, userId);
    if (by !== null && !outranks(by.role, account.role)) throw new ForbiddenError();
    if (standing.state === 'suspended' && admins.length === 1 && admins[0] === userId) {
      throw new InvalidFieldsError({ state: ['The only admin cannot be suspended.'] });
    }
    const before = await this.states.findWithin(tx, userId);
    await this.states.change(tx, userId, standing);
    await this.reports.close(tx, 'user', userId, by?.userId ?? null);
    if (before.state === 'active' && standing.state === 'active') return;
    const until = standing.state === 'active' ? null : standing.until;
    const decisionId = await this.log.append(tx, {
      subject: 'user',
      subjectId: userId,
      slug: account.username,
      decidedBy: by === null ? 'operator' : 'moderator',
      decidedByUserId: by?.userId ?? null,
      from: before.state,
      to: standing.state,
      reason: by === null ? 'operator' : 'moderator',
      note: reason,
      until,
    });
    await this.outbox.add(tx, userModerated, {
      user_id: userId,
      username: account.username,
      decision_id: decisionId,
      from: before.state,
      to: standing.state,
      until: until?.toISOString() ?? null,
      reason,
      decided_by: by?.username ?? 'operator',
    });
    await this.notices.add(
      tx,
      userId,
      standing.state === 'active'
        ? { what: 'restored', reason }
        : { what: 'restricted', state: standing.state, reason: standing.reason, until },
    );
  }
}

function readStanding({ state, reason, until }: AccountRuling): NewStanding {
  if (state === 'active') {
    if (until !== null)
      throw new InvalidFieldsError({ until: ['The until field must be absent for active.'] });
    return { state };
  }
  if (reason === null || reason.trim() === '') {
    throw new InvalidFieldsError({ reason: ['The reason field is required.'] });
  }
  const end = until === null ? null : new Date(until);
  if (end && end.getTime() <= Date.now()) {
    throw new InvalidFieldsError({ until: ['The until field must be a date after now.'] });
  }
  return { state, reason, until: end };
}
