import { Injectable } from '@nestjs/common';
import { type Transaction, violatedUniqueConstraint } from '@vitrine/database';
import { InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { IdentityProviders } from '../../sign-in/providers/identity-providers.service';
import { FeedsService } from '../../posts/feeds/feeds.service';
import type { AccountStanding } from '../states/account-standing';
import { AccountStatesService } from '../states/account-states.service';
import type { StorageUse } from '../quotas/quota.types';
import { QuotasService } from '../quotas/quotas.service';
import type { UserEntity } from './user.entity';
import { type Account, type NewUser, type ProfileColumns, UserRepository } from './user.repository';

/** An account for its user, with the numbers of posts and media. */
export interface AccountView extends Account {
  readonly standing: AccountStanding;
  /** All posts of the account, whether others can find them or not. */
  readonly postCount: number;
  readonly mediaCount: number;
  readonly storage: StorageUse;
}

/** A new session; its secret is shown once. */
export interface NewSession {
  readonly id: number;
  readonly secret: string;
  readonly expiresAt: Date;
  /** By which the browser is known at its next login. */
  readonly deviceToken: string;
}

/** A new session with its account. */
export interface OpenedSession extends NewSession {
  readonly account: AccountView;
}

export const nameTaken = () => new InvalidFieldsError({ username: ['The username has already been taken.'] });

/** Use cases of accounts. */
@Injectable()
export class UsersService {
  constructor(
    private readonly repository: UserRepository,
    private readonly feeds: FeedsService,
    private readonly states: AccountStatesService,
    private readonly providers: IdentityProviders,
    private readonly quotas: QuotasService,
  ) {}

  /** Whether an account, even a deleted one, has this username, ignoring case. */
  isUsernameTaken(username: string): Promise<boolean> {
    return this.repository.isUsernameTaken(username);
  }

  /**
   * Adds an account and returns its id. Throws `InvalidFieldsError` on a `username` that is in use; the transaction must
   * then end.
   */
  async add(tx: Transaction, user: NewUser): Promise<number> {
    try {
      return (await this.repository.insert(tx, user)).id;
    } catch (error) {
      throw violatedUniqueConstraint(error) === 'users_username_key' ? nameTaken() : error;
    }
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

  /** The email address of an active account, as the person entered it; null if it has none. */
  findEmail(userId: number): Promise<string | null> {
    return this.repository.findEmail(userId);
  }

  /** Changes an active account. Throws PostgreSQL's foreign_key_violation of `users_avatar_fk`. */
  changeProfile(tx: Transaction, userId: number, changes: Partial<ProfileColumns>): Promise<void> {
    return this.repository.changeProfile(tx, userId, changes);
  }

  /** The active member with this username, ignoring case. Throws `NotFoundError`. */
  async findByUsername(username: string): Promise<UserEntity> {
    const user = await this.repository.findByUsername(username);
    if (!user) throw new NotFoundError();
    return user;
  }
}
