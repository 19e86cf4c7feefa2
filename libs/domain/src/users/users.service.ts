import { Inject, Injectable } from '@nestjs/common';
import { type Role, type Scope, userDeleted } from '@vitrine/contracts';
import { TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { sqlState } from '@vitrine/runtime';
import { DomainError, InvalidFieldsError, NotFoundError, TooManyRequestsError } from '../errors/domain-error';
import { FeedsService } from '../feeds/feeds.service';
import { secondsToMidnightUtc } from '../media/media.rules';
import { MediaService } from '../media/media.service';
import type { Caller } from '../tokens/caller';
import { type MintedToken, type NewApiToken, TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from './account-metrics';
import { AccountsConfig } from './accounts.config';
import { LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { RegistrationCountRepository } from './registration-count.repository';
import { reservedUsernames } from './reserved-usernames';
import type { UserEntity } from './user.entity';
import { type Account, UserRepository } from './user.repository';

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email?: string | null | undefined;
}

/** Changes of a profile: omitted fields stay unchanged, null clears a field. */
export interface ProfileChanges {
  readonly bio?: string | null;
  readonly email?: string | null;
  /** The caller's password, needed where `email` changes. */
  readonly currentPassword?: string | undefined;
  /** Slug of a picture of one's own. */
  readonly avatar?: string | null;
}

/** One's own account, with how much there is of it. */
export interface AccountView extends Account {
  /** Of its own, whoever may find them. */
  readonly postCount: number;
  readonly mediaCount: number;
}

/** A session just opened; its secret is shown once. */
export interface OpenedSession {
  readonly account: AccountView;
  readonly secret: string;
  readonly expiresAt: Date;
}

/** One sentence for every failure: it doesn't tell which accounts exist. */
const wrongLogin = () => new InvalidFieldsError({ login: ['These credentials do not match our records.'] });
/** The key under which failed logins of an account are counted. */
const accountKey = (userId: number) => `user:${userId}`;
const nameTaken = () => new InvalidFieldsError({ username: ['The username has already been taken.'] });
const isStaff = ({ role }: Caller): boolean => role === 'moderator' || role === 'admin';
const wrongPassword = (field: string) => new InvalidFieldsError({ [field]: ['The password is incorrect.'] });
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
    private readonly throttle: LoginThrottle,
    private readonly outbox: Outbox,
    private readonly metrics: AccountMetrics,
    private readonly registrations: RegistrationCountRepository,
    @Inject(AccountsConfig) private readonly config: AccountsConfig,
  ) {
    this.isReserved = reservedUsernames(config.reservedUsernames);
  }

  /**
   * Makes an account and opens its first session, on `device` (see `TokensService.openSession`). The day's new accounts
   * are counted for `address`. Throws `InvalidFieldsError` on a `username` that is in use or reserved, and
   * `TooManyRequestsError` if the address has reached its limit of accounts a day.
   */
  async register(
    registration: Registration,
    address: string,
    device: string | null = null,
  ): Promise<OpenedSession> {
    if (this.isReserved(registration.username)) throw nameTaken();
    const limit = this.config.accountsPerAddressPerDay;
    // Both are checked before the costly hash. What holds is the exact count and the unique index below.
    if ((await this.registrations.findToday(address)) >= limit) throw tooManyAccounts();
    if (await this.repository.isUsernameTaken(registration.username)) throw nameTaken();
    const passwordHash = await this.passwords.hash(registration.password);
    return this.refusingDuplicates(async () => {
      const { user, session } = await this.transactions.run(async (tx) => {
        if (!(await this.registrations.countOne(tx, address, limit))) throw tooManyAccounts();
        const user = await this.repository.insert(tx, {
          username: registration.username,
          email: registration.email ?? null,
          passwordHash,
          role: 'user',
        });
        return { user, session: await this.tokens.openSession(tx, user.id, device) };
      });
      this.metrics.registered();
      return { account: await this.findAccount(user.id), ...session };
    });
  }

  /**
   * Makes an account without a session, for the operator, who may also use reserved names. Throws `InvalidFieldsError` on
   * a `username` in use.
   */
  async create(registration: Registration, role: Role): Promise<void> {
    const passwordHash = await this.passwords.hash(registration.password);
    const { username, email } = registration;
    await this.refusingDuplicates(() =>
      this.transactions.run((tx) =>
        this.repository.insert(tx, { username, email: email ?? null, passwordHash, role }),
      ),
    );
  }

  /**
   * Opens a session by username, on `device`. Throws `InvalidFieldsError` on `login`, the same for every
   * failure, and `TooManyRequestsError` where this account or this client has failed too often.
   */
  login(
    login: string,
    password: string,
    client: string,
    device: string | null = null,
  ): Promise<OpenedSession> {
    return this.metrics.countLogin(() => this.openByPassword(login, password, client, device));
  }

  private async openByPassword(
    login: string,
    password: string,
    client: string,
    device: string | null,
  ): Promise<OpenedSession> {
    const user = await this.repository.findByUsername(login);
    const account = user ? accountKey(user.id) : `nobody:${login.toLowerCase()}`;
    await this.throttle.countTry(account, client);
    if (!(await this.passwords.verify(user?.passwordHash ?? null, password)) || !user) throw wrongLogin();
    const session = await this.transactions.run(async (tx) => {
      // A password changed since it was verified opens nothing.
      if ((await this.repository.lockPasswordHash(tx, user.id)) !== user.passwordHash) throw wrongLogin();
      return this.tokens.openSession(tx, user.id, device);
    });
    await this.throttle.forgive(account, client);
    return { account: await this.findAccount(user.id), ...session };
  }

  /** Throws `NotFoundError` where the account is deleted. */
  async findAccount(userId: number): Promise<AccountView> {
    const [account, postCount, mediaCount] = await Promise.all([
      this.repository.findAccount(userId),
      this.feeds.count({ items: 'posts', audience: 'owner', userId }),
      this.feeds.count({ items: 'media', audience: 'owner', userId }),
    ]);
    if (!account) throw new NotFoundError();
    return { ...account, postCount, mediaCount };
  }

  /**
   * Throws `InvalidFieldsError` on an `avatar` that isn't a picture of the caller's (it is shown once it is
   * approved), and on a missing or wrong `current_password` where the e-mail address changes; `TooManyRequestsError` where it was wrong too often.
   */
  async updateProfile(caller: Caller, changes: ProfileChanges): Promise<AccountView> {
    const { avatar, currentPassword, ...texts } = changes;
    const avatarMediaId = typeof avatar === 'string' ? await this.findOwnPicture(avatar, caller) : avatar;
    const changesEmail =
      texts.email !== undefined && texts.email !== (await this.repository.findEmail(caller.userId));
    const verified = changesEmail ? await this.verifyCurrentPassword(caller, currentPassword) : null;
    try {
      await this.transactions.run(async (tx) => {
        if (changesEmail) assertSame(await this.repository.lockPasswordHash(tx, caller.userId), verified);
        await this.repository.changeProfile(tx, caller.userId, {
          ...texts,
          ...(avatarMediaId !== undefined && { avatarMediaId }),
        });
      });
    } catch (error) {
      // The picture was deleted meanwhile.
      throw sqlState(error) === '23503' ? invalidAvatar() : error;
    }
    return this.findAccount(caller.userId);
  }

  /**
   * Changes the password, ends all other sessions and, unless `keepTokens`, all API tokens. Throws
   * `InvalidFieldsError` on a wrong `current_password`, and `TooManyRequestsError` where it was wrong too often.
   */
  async changePassword(caller: Caller, current: string, wanted: string, keepTokens: boolean): Promise<void> {
    const verified = await this.verifyCurrentPassword(caller, current);
    const passwordHash = await this.passwords.hash(wanted);
    await this.transactions.run(async (tx) => {
      assertSame(await this.repository.lockPasswordHash(tx, caller.userId), verified);
      await this.repository.changePasswordHash(tx, caller.userId, passwordHash);
      await this.tokens.closeOtherSessions(tx, caller);
      if (!keepTokens) await this.tokens.removeApiTokens(tx, caller.userId);
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Makes an API token of the caller's. Throws `InvalidFieldsError` on a wrong `current_password`, on `expires_at` in the
   * past, and if a user who is not staff asks for the scope `moderate`; `TooManyRequestsError` where the password was
   * wrong too often.
   */
  async createToken(caller: Caller, current: string, wanted: NewApiToken): Promise<MintedToken> {
    assertMayGive(wanted.scopes, isStaff(caller));
    const verified = await this.verifyCurrentPassword(caller, current);
    return this.transactions.run(async (tx) => {
      assertSame(await this.repository.sharePasswordHash(tx, caller.userId), verified);
      return this.tokens.mint(tx, caller.userId, wanted);
    });
  }

  /** Makes an API token for an account by name, for the operator. Throws `NotFoundError`, else as `createToken`. */
  async createTokenFor(username: string, wanted: NewApiToken): Promise<MintedToken> {
    const user = await this.findByUsername(username);
    assertMayGive(wanted.scopes, user.role !== 'user');
    return this.tokens.create(user.id, wanted);
  }

  /**
   * Deletes the caller's account: from here on nobody finds it, and nothing of its making can come. What it has made
   * is for `AccountErasure`. Throws `InvalidFieldsError` on a wrong `password`, and `TooManyRequestsError` where it
   * was wrong too often.
   */
  async markDeleted(caller: Caller, password: string): Promise<void> {
    const wrong = wrongPassword('password');
    const verified = await this.verifyPassword(caller, password, wrong);
    await this.transactions.run(async (tx) => {
      if ((await this.repository.lockForDeletion(tx, caller.userId)) !== verified) throw wrong;
      await this.repository.markDeleted(tx, caller.userId);
      await this.tokens.removeAll(tx, caller.userId);
      await this.outbox.add(tx, userDeleted, { user_id: caller.userId, username: caller.username });
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /** Some accounts deleted over `seconds` ago of which something may be left, the longest first. */
  findUnerased(seconds: number, limit: number): Promise<readonly number[]> {
    return this.repository.findUnerased(seconds, limit);
  }

  /** Notes that nothing is left of a deleted account, and removes what tokens were made as it went. */
  async markErased(userId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.tokens.removeAll(tx, userId);
      await this.repository.markErased(tx, userId);
    });
  }

  /** Gives an account another role, at once. Throws `NotFoundError`. */
  async changeRole(username: string, role: Role): Promise<void> {
    const user = await this.findByUsername(username);
    await this.transactions.run((tx) => this.repository.changeRole(tx, user.id, role));
    this.tokens.forgetBearer(user.id);
  }

  /** The living account of this name, ignoring case. Throws `NotFoundError`. */
  async findByUsername(username: string): Promise<UserEntity> {
    const user = await this.repository.findByUsername(username);
    if (!user) throw new NotFoundError();
    return user;
  }

  /** The hash that the caller's password fits. Throws `wrong`, and `TooManyRequestsError`. */
  private async verifyPassword(
    caller: Caller,
    password: string,
    wrong: InvalidFieldsError,
  ): Promise<string | null> {
    const guessed = accountKey(caller.userId);
    const client = `token:${caller.tokenId}`;
    await this.throttle.countTry(guessed, client);
    const verified = await this.repository.findPasswordHash(caller.userId);
    if (!(await this.passwords.verify(verified, password))) throw wrong;
    await this.throttle.forgive(guessed, client);
    return verified;
  }

  /** As `verifyPassword`, for the field `current_password`. Throws `InvalidFieldsError` where it is missing too. */
  private verifyCurrentPassword(caller: Caller, password: string | undefined): Promise<string | null> {
    if (!password) {
      throw new InvalidFieldsError({ current_password: ['The current_password field is required.'] });
    }
    return this.verifyPassword(caller, password, wrongPassword('current_password'));
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

  private async refusingDuplicates<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw violatedUniqueConstraint(error) === 'users_username_key' ? nameTaken() : error;
    }
  }
}

const tooManyAccounts = () => new TooManyRequestsError(secondsToMidnightUtc(new Date()));

/** The password has changed since it was verified, so it is wrong now. */
function assertSame(current: string | null, verified: string | null): void {
  if (current !== verified) throw wrongPassword('current_password');
}

function assertMayGive(scopes: readonly Scope[] | undefined, staff: boolean): void {
  const index = scopes?.indexOf('moderate') ?? -1;
  if (index >= 0 && !staff) {
    throw new InvalidFieldsError({
      [`scopes.${index}`]: ['Only moderators and admins can give this scope.'],
    });
  }
}
