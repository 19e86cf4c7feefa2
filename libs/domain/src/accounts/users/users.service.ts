import { Injectable } from '@nestjs/common';
import { type Transaction, Database, violatedUniqueConstraint } from '@vitrine/database';
import { sqlState } from '@vitrine/runtime';
import { DomainError, InvalidFieldsError, NotFoundError } from '../../base/errors/domain-error';
import { IdentityProviders } from '../../sign-in/providers/identity-providers.service';
import { FeedsService } from '../../posts/feeds/feeds.service';
import type { AccountStanding } from '../states/account-standing';
import { AccountStatesService } from '../states/account-states.service';
import { MediaReading } from '../../media/items/media-reading.service';
import type { Caller } from '../../base/access/caller';
import type { StorageUse } from '../quotas/quota.types';
import { QuotasService } from '../quotas/quotas.service';
import { type MintedToken, type NewApiToken, TokensService } from '../../sign-in/tokens/tokens.service';
import { AccountNotices } from './account-notices.service';
import { EmailAddresses } from './email-addresses.service';
import { type Proof, ReauthenticationService } from './reauthentication.service';
import { assertMayGrant } from './token-grants.rules';
import type { UserEntity } from './user.entity';
import { type Account, type NewUser, UserRepository } from './user.repository';
import { isModerator } from '../../base/access/viewer';

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
const invalidAvatar = () => new InvalidFieldsError({ avatar: ['The selected avatar is invalid.'] });

/** Use cases of accounts. */
@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly repository: UserRepository,
    private readonly tokens: TokensService,
    private readonly media: MediaReading,
    private readonly feeds: FeedsService,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly emails: EmailAddresses,
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

  /**
   * Changes the caller's profile. An avatar is shown when it is approved; an e-mail address takes effect when it is verified
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
      await this.database.transaction(async (tx) => {
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
   * Creates an API token of the caller. Throws `InvalidFieldsError` on a wrong `current_password`, on `expires_at` in
   * the past, and on the scope `moderate` if the caller isn't a moderator; `TooManyRequestsError` if the password was
   * wrong too often.
   */
  async createToken(caller: Caller, proof: Proof, wanted: NewApiToken): Promise<MintedToken> {
    assertMayGrant(wanted.scopes, isModerator(caller));
    const confirmed = await this.reauthentication.confirm(caller, proof);
    return this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'share');
      const minted = await this.tokens.mint(tx, caller.userId, wanted);
      await this.notices.add(tx, caller.userId, { what: 'token-created', name: minted.token.name });
      return minted;
    });
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
}
