import { Inject, Injectable } from '@nestjs/common';
import { type Role, type Scope, userDeleted } from '@vitrine/contracts';
import { type Transaction, TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { sqlState } from '@vitrine/runtime';
import { secondsToMidnightUtc } from '../daily-counts/utc-day';
import {
  DomainError,
  InvalidFieldsError,
  NotAdmittedError,
  NotFoundError,
  TooManyRequestsError,
} from '../errors/domain-error';
import { IdentitiesService } from '../identities/identities.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { FeedsService } from '../feeds/feeds.service';
import type { AccountStanding } from '../account-states/account-standing';
import { AccountStatesService } from '../account-states/account-states.service';
import { LoginHistory } from '../login-history/login-history.service';
import { PasswordStrength } from '../passwords/password-strength';
import { Mails } from '../mails/mails.service';
import { MediaService } from '../media/media.service';
import type { Caller } from '../access/caller';
import type { StorageUse } from '../quotas/quota.types';
import { QuotasService } from '../quotas/quotas.service';
import { type MintedToken, type NewApiToken, TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from './account-metrics';
import { AccountsConfig } from './accounts.config';
import { AccountNotices } from './account-notices.service';
import { EmailAddresses } from './email-addresses.service';
import { PasswordHasher } from './password-hasher';
import { type Proof, ReauthenticationService } from './reauthentication.service';
import { RegistrationCountRepository } from './registration-count.repository';
import { reservedUsernames } from './reserved-usernames';
import type { UserEntity } from './user.entity';
import { type Account, UserRepository } from './user.repository';
import { isModerator } from '../access/viewer';
import { WebhooksService } from '../webhooks/webhooks.service';

/** What else the transaction of a registration does: given the id of the new account, it may refuse it by throwing. */
export type EnterAccount = (tx: Transaction, userId: number) => Promise<void>;

/** What a login opens: a session, by the id of its token; or a login that waits for a second factor, by its secret. */
export type OpenedLogin = { readonly tokenId: number } | { readonly pendingLogin: string };

/** What else the transaction of a login does. */
export type NoteLogin = (tx: Transaction, opened: OpenedLogin) => Promise<void>;

export interface Registration {
  readonly username: string;
  /** Null for an account without a password. */
  readonly password: string | null;
  readonly email?: string | null | undefined;
}

/** Changes of a profile: omitted fields stay unchanged, null clears a field. */
export interface ProfileChanges {
  readonly bio?: string | null;
  readonly email?: string | null;
  /** The caller's password, required if `email` changes. */
  readonly currentPassword?: string | undefined;
  /** A code of a second factor, instead of the password. */
  readonly code?: string | undefined;
  /** The slug of a picture of the caller. */
  readonly avatar?: string | null;
}

/** An account for its user, with the numbers of posts and media. */
export interface AccountView extends Account {
  readonly standing: AccountStanding;
  /** All posts of the account, whether others can find them or not. */
  readonly postCount: number;
  readonly mediaCount: number;
  readonly storage: StorageUse;
}

/** A new session; its secret is shown once. */
export interface OpenedSession {
  readonly account: AccountView;
  readonly secret: string;
  readonly expiresAt: Date;
  /** By which the browser is known at its next login. */
  readonly deviceToken: string;
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
    private readonly emails: EmailAddresses,
    private readonly mails: Mails,
    private readonly outbox: Outbox,
    private readonly metrics: AccountMetrics,
    private readonly registrations: RegistrationCountRepository,
    private readonly webhooks: WebhooksService,
    private readonly states: AccountStatesService,
    private readonly identities: IdentitiesService,
    private readonly providers: IdentityProviders,
    private readonly pending: PendingLogins,
    private readonly factors: SecondFactorsService,
    private readonly history: LoginHistory,
    private readonly strength: PasswordStrength,
    private readonly quotas: QuotasService,
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
    note?: NoteLogin,
  ): Promise<OpenedSession> {
    const { user, opened } = await this.add(registration, address, async (tx, user) => {
      await enter?.(tx, user.id);
      const session = await this.tokens.openSession(tx, user.id, device);
      await note?.(tx, { tokenId: session.id });
      const login = {
        method: 'registration',
        secondFactor: null,
        device,
        address,
        deviceToken: null,
      } as const;
      const { token } = await this.history.record(tx, user.id, login);
      return { ...session, deviceToken: token };
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
    const passwordHash = await this.hashOf(registration);
    return this.rejectingDuplicates(async () => {
      const added = await this.transactions.run(async (tx) => {
        await this.registrations.removeBefore(tx, COUNT_DAYS_KEPT, COUNTS_REMOVED_AT_ONCE);
        if (!(await this.registrations.countOne(tx, address, limit))) throw tooManyAccounts();
        const user = await this.repository.insert(tx, {
          username: registration.username,
          email: null,
          passwordHash,
          role: 'user',
        });
        const opened = await open(tx, user);
        if (registration.email) await this.emails.enter(tx, user.id, registration.email);
        return { user, opened };
      });
      this.metrics.registered();
      return added;
    });
  }

  /** Throws `InvalidFieldsError` on a `password` that is easy to guess for this account. */
  private assertStrong(
    password: string,
    account: { readonly username: string; readonly email?: string | null | undefined },
  ): Promise<void> {
    // The part after the @ is often a provider, but may be the site itself.
    return this.strength.assertStrong(password, [account.username, account.email]);
  }

  /**
   * Creates an account without a session, for the operator, who may also use reserved names. Throws
   * `InvalidFieldsError` on a `username` that is in use.
   */
  async create(registration: Registration, role: Role): Promise<void> {
    const { username, email, password } = registration;
    const passwordHash = password === null ? null : await this.passwords.hash(password);
    await this.rejectingDuplicates(() =>
      this.transactions.run(async (tx) => {
        const { id } = await this.repository.insert(tx, { username, email: null, passwordHash, role });
        if (email) await this.emails.enter(tx, id, email);
      }),
    );
  }

  /** An account for its user. Throws `NotFoundError` if the account is deleted. */
  async findAccount(userId: number): Promise<AccountView> {
    const [account, standing, postCount, mediaCount, storage] = await Promise.all([
      this.repository.findAccount(userId),
      this.states.find(userId),
      this.feeds.count({ items: 'posts', audience: 'owner', userId }),
      this.feeds.count({ items: 'media', audience: 'owner', userId }),
      this.quotas.findUse(userId),
    ]);
    if (!account) throw new NotFoundError();
    const hasPassword = account.hasPassword && this.providers.passwordLogin;
    return { ...account, hasPassword, standing, postCount, mediaCount, storage };
  }

  /**
   * Changes the caller's profile. An avatar is shown when it is approved; an e-mail address counts when it is verified
   * (`EmailAddresses`). Throws `InvalidFieldsError` on an `avatar`
   * that isn't a picture of the caller, and on a missing or wrong `current_password` if the e-mail address changes;
   * `TooManyRequestsError` if the password was wrong too often.
   */
  async updateProfile(caller: Caller, changes: ProfileChanges): Promise<AccountView> {
    const { avatar, email, currentPassword, code, ...texts } = changes;
    const avatarMediaId = typeof avatar === 'string' ? await this.findOwnPicture(avatar, caller) : avatar;
    const changesEmail = email !== undefined && email !== (await this.repository.findEmail(caller.userId));
    const confirmed = changesEmail
      ? await this.reauthentication.confirm(caller, { currentPassword, code })
      : null;
    try {
      await this.transactions.run(async (tx) => {
        await confirmed?.hold(tx, 'change');
        await this.repository.changeProfile(tx, caller.userId, {
          ...texts,
          ...(avatarMediaId !== undefined && { avatarMediaId }),
        });
        if (confirmed && email !== undefined) await this.emails.enter(tx, caller.userId, email);
      });
    } catch (error) {
      // The picture was deleted in the meantime.
      throw sqlState(error) === '23503' ? invalidAvatar() : error;
    }
    return this.findAccount(caller.userId);
  }

  /**
   * Changes the password, or sets the first one; ends all other sessions and, unless `keepTokens`, removes all API
   * tokens. Throws `InvalidFieldsError` on a wrong `current_password`, `TooManyRequestsError` if it was wrong too often,
   * and `NotAdmittedError` on a site without passwords.
   */
  async changePassword(caller: Caller, proof: Proof, wanted: string, keepTokens: boolean): Promise<void> {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.assertStrong(wanted, {
      username: caller.username,
      email: await this.repository.findEmail(caller.userId),
    });
    const passwordHash = await this.passwords.hash(wanted);
    await this.transactions.run(async (tx) => {
      await confirmed.hold(tx, 'change');
      await this.repository.changePasswordHash(tx, caller.userId, passwordHash);
      await this.tokens.closeOtherSessions(tx, caller);
      await this.pending.removeAll(tx, caller.userId);
      await this.history.forgetDevices(tx, caller.userId);
      if (!keepTokens) await this.tokens.removeApiTokens(tx, caller.userId);
      await this.mails.revokeLinks(tx, caller.userId, 'reset-password');
      await this.notices.add(tx, caller.userId, { what: 'password-changed' });
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Creates an API token of the caller. Throws `InvalidFieldsError` on a wrong `current_password`, on `expires_at` in
   * the past, and on the scope `moderate` if the caller isn't a moderator; `TooManyRequestsError` if the password was
   * wrong too often.
   */
  async createToken(caller: Caller, proof: Proof, wanted: NewApiToken): Promise<MintedToken> {
    assertMayGrant(wanted.scopes, isModerator(caller));
    const confirmed = await this.reauthentication.confirm(caller, proof);
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
    return this.tokens.create(user.id, wanted);
  }

  /**
   * Deletes the caller's account: it can't be found and can make nothing from then on. `AccountErasure` erases what
   * it has made. Throws `InvalidFieldsError` on a wrong `password`, and `TooManyRequestsError` if it was wrong too
   * often.
   */
  async markDeleted(caller: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof, 'password');
    await this.transactions.run(async (tx) => {
      await confirmed.hold(tx, 'delete');
      await this.repository.markDeleted(tx, caller.userId);
      await this.tokens.removeAll(tx, caller.userId);
      await this.factors.removeAll(tx, caller.userId);
      await this.history.removeAll(tx, caller.userId);
      await this.webhooks.removeAll(tx, caller.userId);
      await this.identities.removeAll(tx, caller.userId);
      await this.mails.forget(tx, caller.userId);
      await this.outbox.add(tx, userDeleted, { user_id: caller.userId, username: caller.username });
    });
    this.tokens.forgetBearer(caller.userId);
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
      await this.quotas.forget(tx, userId);
      await this.mails.forget(tx, userId);
      await this.repository.markErased(tx, userId);
    });
  }

  /** Removes every second factor of an account, for the operator. Throws `NotFoundError`. */
  async removeSecondFactors(username: string): Promise<void> {
    const user = await this.findByUsername(username);
    await this.transactions.run(async (tx) => {
      await this.factors.removeAll(tx, user.id);
      await this.notices.add(tx, user.id, { what: 'second-factors-removed' });
    });
    this.tokens.forgetBearer(user.id);
  }

  /** Changes an account's role with immediate effect. Throws `NotFoundError`. */
  async changeRole(username: string, role: Role): Promise<void> {
    const user = await this.findByUsername(username);
    await this.transactions.run((tx) => this.repository.changeRole(tx, user.id, role));
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

  /** Returns null for an account without a password. Throws `InvalidFieldsError` on a password that is easy to guess. */
  private async hashOf(registration: Registration): Promise<string | null> {
    const { password } = registration;
    if (password === null) return null;
    await this.assertStrong(password, registration);
    return this.passwords.hash(password);
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
