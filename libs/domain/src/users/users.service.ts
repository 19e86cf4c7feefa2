import { Injectable } from '@nestjs/common';
import { type Role, userDeleted } from '@vitrine/contracts';
import { TransactionRunner, violatedUniqueConstraint } from '@vitrine/database';
import { Outbox } from '@vitrine/messaging';
import { sqlState } from '@vitrine/runtime';
import { DomainError, InvalidFieldsError, NotFoundError } from '../errors/domain-error';
import { FeedsService } from '../feeds/feeds.service';
import { MediaService } from '../media/media.service';
import type { Caller } from '../tokens/caller';
import { TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from './account-metrics';
import { LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import type { UserEntity } from './user.entity';
import { type Account, UserRepository } from './user.repository';

export interface Registration {
  readonly username: string;
  readonly password: string;
  readonly email?: string | null | undefined;
}

/** What to change of a profile: absent keeps, null clears. */
export interface ProfileChanges {
  readonly bio?: string | null;
  readonly email?: string | null;
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
/** By which an account's failures are counted. */
const accountKey = (userId: number) => `user:${userId}`;
/** No username holds an @. */
const wayIn = (login: string): 'email' | 'username' => (login.includes('@') ? 'email' : 'username');
const wrongPassword = (field: string) => new InvalidFieldsError({ [field]: ['The password is incorrect.'] });
const invalidAvatar = () => new InvalidFieldsError({ avatar: ['The selected avatar is invalid.'] });

/** Use cases of accounts. */
@Injectable()
export class UsersService {
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
  ) {}

  /** Makes an account and opens its first session, on `device` (see `TokensService.openSession`). Throws `InvalidFieldsError` on `username` or `email` in use. */
  async register(registration: Registration, device: string | null = null): Promise<OpenedSession> {
    const passwordHash = await this.passwords.hash(registration.password);
    return this.refusingDuplicates(async () => {
      const { user, session } = await this.transactions.run(async (tx) => {
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

  /** Makes an account without a session, for the operator. Throws as `register` does. */
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
   * Opens a session by username or e-mail address, on `device`. Throws `InvalidFieldsError` on `login`, the same for every
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
    const user = await this.findByLogin(login);
    // Name and e-mail address count apart: else failures on one would tell whether the other is the same account's.
    const account = user ? `${accountKey(user.id)} by ${wayIn(login)}` : `nobody:${login.toLowerCase()}`;
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

  /** Throws `InvalidFieldsError` on `email` in use, and on an `avatar` that isn't a picture of one's own. */
  async updateProfile(caller: Caller, { avatar, ...texts }: ProfileChanges): Promise<AccountView> {
    const avatarMediaId = typeof avatar === 'string' ? await this.findOwnPicture(avatar, caller) : avatar;
    try {
      await this.refusingDuplicates(() =>
        this.transactions.run((tx) =>
          this.repository.changeProfile(tx, caller.userId, {
            ...texts,
            ...(avatarMediaId !== undefined && { avatarMediaId }),
          }),
        ),
      );
    } catch (error) {
      // The picture was deleted meanwhile.
      throw sqlState(error) === '23503' ? invalidAvatar() : error;
    }
    return this.findAccount(caller.userId);
  }

  /**
   * Changes the password and ends all other sessions. Throws `InvalidFieldsError` on a wrong `current_password`,
   * and `TooManyRequestsError` where it was wrong too often.
   */
  async changePassword(caller: Caller, current: string, wanted: string): Promise<void> {
    const wrong = wrongPassword('current_password');
    const verified = await this.verifyPassword(caller, current, wrong);
    const passwordHash = await this.passwords.hash(wanted);
    await this.transactions.run(async (tx) => {
      if ((await this.repository.lockPasswordHash(tx, caller.userId)) !== verified) throw wrong;
      await this.repository.changePasswordHash(tx, caller.userId, passwordHash);
      await this.tokens.closeOtherSessions(tx, caller);
    });
    this.tokens.forgetBearer(caller.userId);
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

  private findByLogin(login: string): Promise<UserEntity | null> {
    return wayIn(login) === 'email'
      ? this.repository.findByEmail(login)
      : this.repository.findByUsername(login);
  }

  private async findOwnPicture(slug: string, caller: Caller): Promise<number> {
    try {
      const { media } = await this.media.findForViewer(slug, caller);
      const suits =
        media.userId === caller.userId && media.kind === 'image' && media.moderationStatus !== 'rejected';
      if (suits) return media.id;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'not_found')) throw error;
    }
    throw invalidAvatar();
  }

  private async refusingDuplicates<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const field = { users_username_key: 'username', users_email_key: 'email' }[
        violatedUniqueConstraint(error) ?? ''
      ];
      if (field === undefined) throw error;
      throw new InvalidFieldsError({ [field]: [`The ${field} has already been taken.`] });
    }
  }
}
