import { Inject, Injectable } from '@nestjs/common';
import { type Role, type Scope, userDeleted } from '@vitrine/contracts';
import { type Transaction, TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { sqlState } from '@vitrine/runtime';
import { secondsToMidnightUtc } from '../daily-counts/utc-day';
import {
  DomainError,
  ForbiddenError,
  InvalidFieldsError,
  NotFoundError,
  TooManyRequestsError,
} from '../errors/domain-error';
import { FeedsService } from '../feeds/feeds.service';
import type { AccountStanding } from '../account-states/account-standing';
import { AuditLog } from '../audit/audit-log.service';
import { AccountStatesService } from '../account-states/account-states.service';
import { MediaService } from '../media/media.service';
import type { Caller } from '../access/caller';
import { type MintedToken, type NewApiToken, TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from './account-metrics';
import { AccountsConfig } from './accounts.config';
import { AccountNotices } from './account-notices.service';
import { MembersService } from './members.service';
import { PasswordHasher } from './password-hasher';
import { ReauthenticationService } from './reauthentication.service';
import { RegistrationCountRepository } from './registration-count.repository';
import { reservedUsernames } from './reserved-usernames';
import type { UserEntity } from './user.entity';
import { type Account, UserRepository } from './user.repository';
import { isModerator } from '../access/viewer';
import { WebhooksService } from '../webhooks/webhooks.service';

/** What else the transaction of a registration does: given the id of the new account, it may refuse it by throwing. */
export type EnterAccount = (tx: Transaction, userId: number) => Promise<void>;

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email?: string | null | undefined;
}

/** Changes of a profile: omitted fields stay unchanged, null clears a field. */
export interface ProfileChanges {
  readonly bio?: string | null;
  readonly email?: string | null;
  /** The caller's password, required if `email` changes. */
  readonly currentPassword?: string | undefined;
  /** The slug of a picture of the caller. */
  readonly avatar?: string | null;
}

/** An account for its user, with the numbers of posts and media. */
export interface AccountView extends Account {
  readonly standing: AccountStanding;
  /** All posts of the account, whether others can find them or not. */
  readonly postCount: number;
  readonly mediaCount: number;
}

/** A new session; its secret is shown once. */
export interface OpenedSession {
  readonly account: AccountView;
  readonly secret: string;
  readonly expiresAt: Date;
}

/** Counts of registrations that are older than this many days are no longer needed. */
const COUNT_DAYS_KEPT = 2;
/** The largest number of old counts that one registration removes, so that its work stays bounded. */
const COUNTS_REMOVED_AT_ONCE = 100;
const nameTaken = () => new InvalidFieldsError({ username: ['The username has already been taken.'] });
const invalidAvatar = () => new InvalidFieldsError({ avatar: ['The selected avatar is invalid.'] });

/** Use cases of accounts. */
@Injectable()
export class UsersService {
  private readonly isReserved: (username: string) => boolean;

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: UserRepository,
    private readonly tokens: TokensService,
    private readonly media: MediaService,
    private readonly feeds: FeedsService,
    private readonly passwords: PasswordHasher,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly outbox: Outbox,
    private readonly metrics: AccountMetrics,
    private readonly registrations: RegistrationCountRepository,
    private readonly webhooks: WebhooksService,
    private readonly states: AccountStatesService,
    private readonly members: MembersService,
    private readonly audit: AuditLog,
    @Inject(AccountsConfig) private readonly config: AccountsConfig,
  ) {
    this.isReserved = reservedUsernames(config.reservedUsernames);
  }

  /**
   * Registers an account and opens its first session, on `device` (see `TokensService.openSession`). New accounts are
   * counted by `address` and day. `enter` takes part in the transaction and may refuse the account. Throws `InvalidFieldsError` on a `username` that is in use or reserved, and
   * `TooManyRequestsError` if the address has reached the daily limit.
   */
  async register(
    registration: Registration,
    address: string,
    device: string | null = null,
    enter?: EnterAccount,
  ): Promise<OpenedSession> {
    const { user, opened } = await this.add(registration, address, async (tx, user) => {
      await enter?.(tx, user.id);
      return this.tokens.openSession(tx, user.id, device);
    });
    return { account: await this.findAccount(user.id), ...opened };
  }

  /** As `register`, for an account on which staff has to decide: it gets no session. */
  async apply(registration: Registration, address: string, enter: EnterAccount): Promise<void> {
    await this.add(registration, address, (tx, user) => enter(tx, user.id));
  }

  private async add<Opened>(
    registration: Registration,
    address: string,
    open: (tx: Transaction, user: UserEntity) => Promise<Opened>,
  ): Promise<{ readonly user: UserEntity; readonly opened: Opened }> {
    if (this.isReserved(registration.username)) throw nameTaken();
    const limit = this.config.accountsPerAddressPerDay;
    // These checks come before the costly hash. The exact count and the unique index below decide.
    if ((await this.registrations.findToday(address)) >= limit) throw tooManyAccounts();
    if (await this.repository.isUsernameTaken(registration.username)) throw nameTaken();
    const passwordHash = await this.passwords.hash(registration.password);
    return this.rejectingDuplicates(async () => {
      const added = await this.transactions.run(async (tx) => {
        await this.registrations.removeBefore(tx, COUNT_DAYS_KEPT, COUNTS_REMOVED_AT_ONCE);
        if (!(await this.registrations.countOne(tx, address, limit))) throw tooManyAccounts();
        const user = await this.repository.insert(tx, {
          username: registration.username,
          email: registration.email ?? null,
          passwordHash,
          role: 'user',
        });
        return { user, opened: await open(tx, user) };
      });
      this.metrics.registered();
      return added;
    });
  }

  /**
   * Creates an account without a session, for the operator, who may also use reserved names. Throws
   * `InvalidFieldsError` on a `username` that is in use.
   */
  async create(registration: Registration, role: Role): Promise<void> {
    const passwordHash = await this.passwords.hash(registration.password);
    const { username, email } = registration;
    await this.rejectingDuplicates(() =>
      this.transactions.run(async (tx) => {
        const { id } = await this.repository.insert(tx, {
          username,
          email: email ?? null,
          passwordHash,
          role,
        });
        const subject = { type: 'user', id, name: username } as const;
        await this.audit.append(tx, { by: null, action: 'user.create', subject, detail: { role } });
      }),
    );
  }

  /** An account for its user. Throws `NotFoundError` if the account is deleted. */
  async findAccount(userId: number): Promise<AccountView> {
    const [account, standing, postCount, mediaCount] = await Promise.all([
      this.repository.findAccount(userId),
      this.states.find(userId),
      this.feeds.count({ items: 'posts', audience: 'owner', userId }),
      this.feeds.count({ items: 'media', audience: 'owner', userId }),
    ]);
    if (!account) throw new NotFoundError();
    return { ...account, standing, postCount, mediaCount };
  }

  /**
   * Changes the caller's profile. An avatar is shown when it is approved. Throws `InvalidFieldsError` on an `avatar`
   * that isn't a picture of the caller, and on a missing or wrong `current_password` if the e-mail address changes;
   * `TooManyRequestsError` if the password was wrong too often.
   */
  async updateProfile(caller: Caller, changes: ProfileChanges): Promise<AccountView> {
    const { avatar, currentPassword, ...texts } = changes;
    const avatarMediaId = typeof avatar === 'string' ? await this.findOwnPicture(avatar, caller) : avatar;
    const changesEmail =
      texts.email !== undefined && texts.email !== (await this.repository.findEmail(caller.userId));
    const confirmed = changesEmail ? await this.reauthentication.confirm(caller, { currentPassword }) : null;
    try {
      await this.transactions.run(async (tx) => {
        await confirmed?.hold(tx, 'change');
        await this.repository.changeProfile(tx, caller.userId, {
          ...texts,
          ...(avatarMediaId !== undefined && { avatarMediaId }),
        });
      });
    } catch (error) {
      // The picture was deleted in the meantime.
      throw sqlState(error) === '23503' ? invalidAvatar() : error;
    }
    return this.findAccount(caller.userId);
  }

  /**
   * Changes the password, ends all other sessions and, unless `keepTokens`, removes all API tokens. Throws
   * `InvalidFieldsError` on a wrong `current_password`, and `TooManyRequestsError` if it was wrong too often.
   */
  async changePassword(caller: Caller, current: string, wanted: string, keepTokens: boolean): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, { currentPassword: current });
    const passwordHash = await this.passwords.hash(wanted);
    await this.transactions.run(async (tx) => {
      await confirmed.hold(tx, 'change');
      await this.repository.changePasswordHash(tx, caller.userId, passwordHash);
      await this.tokens.closeOtherSessions(tx, caller);
      if (!keepTokens) await this.tokens.removeApiTokens(tx, caller.userId);
      await this.notices.add(tx, caller.userId, { what: 'password-changed' });
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Creates an API token of the caller. Throws `InvalidFieldsError` on a wrong `current_password`, on `expires_at` in
   * the past, and on the scope `moderate` if the caller isn't a moderator; `TooManyRequestsError` if the password was
   * wrong too often.
   */
  async createToken(caller: Caller, current: string, wanted: NewApiToken): Promise<MintedToken> {
    assertMayGrant(wanted.scopes, isModerator(caller));
    const confirmed = await this.reauthentication.confirm(caller, { currentPassword: current });
    return this.transactions.run(async (tx) => {
      await confirmed.hold(tx, 'share');
      const minted = await this.tokens.mint(tx, caller.userId, wanted);
      await this.notices.add(tx, caller.userId, { what: 'token-created', name: minted.token.name });
      return minted;
    });
  }

  /**
   * Creates an API token of an account by username, for the operator. Throws `NotFoundError`, otherwise as
   * `createToken`.
   */
  async createTokenFor(username: string, wanted: NewApiToken): Promise<MintedToken> {
    const user = await this.findByUsername(username);
    assertMayGrant(wanted.scopes, user.role !== 'user');
    return this.transactions.run(async (tx) => {
      const minted = await this.tokens.mint(tx, user.id, wanted);
      const { id, scopes } = minted.token;
      const subject = { type: 'user', id: user.id, name: user.username } as const;
      await this.audit.append(tx, { by: null, action: 'token.create', subject, detail: { id, scopes } });
      return minted;
    });
  }

  /**
   * Deletes the caller's account: it can't be found and can make nothing from then on. `AccountErasure` erases what
   * it has made. Throws `InvalidFieldsError` on a wrong `password`, and `TooManyRequestsError` if it was wrong too
   * often.
   */
  async markDeleted(caller: Caller, password: string): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, { currentPassword: password }, 'password');
    await this.transactions.run(async (tx) => {
      await confirmed.hold(tx, 'delete');
      await this.markDeletedWithin(tx, caller);
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Deletes an account that is locked, within the transaction that proves the right to do so. Call
   * `TokensService.forgetBearer` and `AccountErasure` after the commit.
   */
  async markDeletedWithin(
    tx: Transaction,
    { userId, username }: Pick<Caller, 'userId' | 'username'>,
  ): Promise<void> {
    await this.repository.markDeleted(tx, userId);
    await this.tokens.removeAll(tx, userId);
    await this.webhooks.removeAll(tx, userId);
    await this.outbox.add(tx, userDeleted, { user_id: userId, username });
  }

  /**
   * Up to `limit` accounts that were deleted more than `seconds` ago and aren't erased, the oldest deletion first.
   */
  findUnerased(seconds: number, limit: number): Promise<readonly number[]> {
    return this.repository.findUnerased(seconds, limit);
  }

  /** Records that a deleted account is erased. Removes tokens that were created during its deletion. */
  async markErased(userId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.tokens.removeAll(tx, userId);
      await this.states.forget(tx, userId);
      await this.repository.markErased(tx, userId);
    });
  }

  /**
   * Changes an account's role with immediate effect. `by` is the admin; null for the operator, who may do anything.
   * Throws `NotFoundError`; `ForbiddenError` if `by` is no longer an admin; and `InvalidFieldsError` if `by` takes the
   * role from the only admin.
   */
  async changeRole(username: string, role: Role, by: Caller | null = null): Promise<void> {
    const user = await this.findByUsername(username);
    await this.transactions.run(async (tx) => {
      const admins = by === null ? [] : await this.members.lockActiveAdmins(tx);
      const before = await this.members.lock(tx, user.id);
      if (by !== null && !admins.includes(by.userId)) throw new ForbiddenError();
      if (by !== null && role !== 'admin' && admins.length === 1 && admins[0] === user.id) {
        throw new InvalidFieldsError({ role: ['The only admin cannot give up the role.'] });
      }
      if (before.role === role) return;
      await this.repository.changeRole(tx, user.id, role);
      await this.audit.append(tx, {
        by,
        action: 'user.change_role',
        subject: { type: 'user', id: user.id, name: user.username },
        detail: { from: before.role, to: role },
      });
    });
    this.tokens.forgetBearer(user.id);
  }

  /** The active member with this username, ignoring case. Throws `NotFoundError`. */
  async findByUsername(username: string): Promise<UserEntity> {
    const user = await this.repository.findByUsername(username);
    if (!user) throw new NotFoundError();
    return user;
  }

  private async findOwnPicture(slug: string, caller: Caller): Promise<number> {
    try {
      const { media } = await this.media.findForViewer(slug, caller);
      if (media.userId === caller.userId && media.kind === 'image') return media.id;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
    }
    throw invalidAvatar();
  }

  private async rejectingDuplicates<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw violatedUniqueConstraint(error) === 'users_username_key' ? nameTaken() : error;
    }
  }
}

const tooManyAccounts = () => new TooManyRequestsError(secondsToMidnightUtc(new Date()));

function assertMayGrant(scopes: readonly Scope[] | undefined, staff: boolean): void {
  const index = scopes?.indexOf('moderate') ?? -1;
  if (index >= 0 && !staff) {
    throw new InvalidFieldsError({
      [`scopes.${index}`]: ['Only moderators and admins can use this scope.'],
    });
  }
}
