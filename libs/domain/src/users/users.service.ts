import { Injectable } from '@nestjs/common';
import { type Role, type Scope, userDeleted } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { Outbox } from '@vitrine/outbox';
import { sqlState } from '@vitrine/runtime';
import { DomainError, InvalidFieldsError, NotAdmittedError, NotFoundError } from '../errors/domain-error';
import { IdentitiesService } from '../identities/identities.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { FeedsService } from '../feeds/feeds.service';
import type { AccountStanding } from '../account-states/account-standing';
import { AdmissionService } from '../admission/admission.service';
import { accountSubject } from '../audit/account-subject';
import { AuditLog } from '../audit/audit-log.service';
import { AccountStatesService } from '../account-states/account-states.service';
import { WaysIn } from '../identities/ways-in.service';
import { type Browser, LoginHistory } from '../login-history/login-history.service';
import { PasswordStrength } from '../passwords/password-strength';
import { Mails } from '../mails/mails.service';
import { MediaReading } from '../media/media-reading.service';
import type { Caller } from '../access/caller';
import type { StorageUse } from '../quotas/quota.types';
import { QuotasService } from '../quotas/quotas.service';
import { type MintedToken, type NewApiToken, TokensService } from '../tokens/tokens.service';
import { AccountCreation, type Registration } from './account-creation.service';
import { AccountNotices } from './account-notices.service';
import { EmailAddresses } from './email-addresses.service';
import { MembersService } from './members.service';
import { PasswordHasher } from './password-hasher';
import { type Confirmed, type Proof, ReauthenticationService } from './reauthentication.service';
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

const onlyAdmin = () =>
  new InvalidFieldsError({
    role: ['The account of the only admin cannot be deleted. Give the role to another account first.'],
  });
const invalidAvatar = () => new InvalidFieldsError({ avatar: ['The selected avatar is invalid.'] });

/** Use cases of accounts. */
@Injectable()
export class UsersService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: UserRepository,
    private readonly tokens: TokensService,
    private readonly media: MediaReading,
    private readonly feeds: FeedsService,
    private readonly passwords: PasswordHasher,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly emails: EmailAddresses,
    private readonly mails: Mails,
    private readonly outbox: Outbox,
    private readonly webhooks: WebhooksService,
    private readonly states: AccountStatesService,
    private readonly identities: IdentitiesService,
    private readonly providers: IdentityProviders,
    private readonly pending: PendingLogins,
    private readonly factors: SecondFactorsService,
    private readonly history: LoginHistory,
    private readonly strength: PasswordStrength,
    private readonly quotas: QuotasService,
    private readonly members: MembersService,
    private readonly admission: AdmissionService,
    private readonly ways: WaysIn,
    private readonly audit: AuditLog,
    private readonly creation: AccountCreation,
  ) {}

  /**
   * Registers an account and opens its first session, in a browser that is known from then on. `enter` takes part
   * in the transaction and may refuse the account. Throws as `AccountCreation.add` does.
   */
  async register(
    registration: Registration,
    address: string,
    browser: Browser | null = null,
    enter?: EnterAccount,
    note?: NoteLogin,
  ): Promise<OpenedSession> {
    const { user, completed } = await this.creation.add(registration, address, async (tx, user) => {
      await enter?.(tx, user.id);
      const { device = null, deviceToken = null } = browser ?? {};
      const session = await this.tokens.openSession(tx, user.id, device);
      await note?.(tx, { tokenId: session.id });
      const login = {
        method: 'registration',
        secondFactor: null,
        device,
        address,
        deviceToken,
      } as const;
      const { token } = await this.history.record(tx, user.id, login);
      return { ...session, deviceToken: token };
    });
    return { account: await this.findAccount(user.id), ...completed };
  }

  /** As `register`, for an account on which staff has to decide: it gets no session. */
  async apply(registration: Registration, address: string, enter: EnterAccount): Promise<void> {
    await this.creation.add(registration, address, (tx, user) => enter(tx, user.id));
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
    const email = await this.repository.findEmail(caller.userId);
    await this.strength.assertStrong(wanted, [caller.username, email]);
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
    return this.transactions.run(async (tx) => {
      const minted = await this.tokens.mint(tx, user.id, wanted);
      const { id, scopes } = minted.token;
      const subject = accountSubject(user.id, user.username);
      await this.audit.append(tx, { by: null, action: 'token.create', subject, detail: { id, scopes } });
      return minted;
    });
  }

  /**
   * Deletes the caller's account: it can't be found and can make nothing from then on. `AccountErasure` erases what
   * it has made. Throws `InvalidFieldsError` on a wrong `password`, and on `role` if the caller is the only admin; and
   * `TooManyRequestsError` if the password was wrong too often.
   */
  async markDeleted(caller: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof, 'password');
    await this.transactions.run(async (tx) => {
      const admins = await this.members.lockActiveAdmins(tx);
      if (admins.length === 1 && admins[0] === caller.userId) throw onlyAdmin();
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
    await this.factors.removeAll(tx, userId);
    await this.history.removeAll(tx, userId);
    await this.webhooks.removeAll(tx, userId);
    await this.identities.removeAll(tx, userId);
    await this.mails.forget(tx, userId);
    await this.admission.endApplication(tx, userId);
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
      await this.quotas.forget(tx, userId);
      await this.mails.forget(tx, userId);
      await this.repository.markErased(tx, userId);
    });
  }

  /**
   * Removes every second factor of an account. `by` is the proof of the admin; null for the operator. Throws
   * `NotFoundError`, as `MembersService.holdAdmin` does, and `InvalidFieldsError` on `way_in` if the account could not log
   * in any more.
   */
  async removeSecondFactors(username: string, by: Confirmed | null = null): Promise<void> {
    const user = await this.findByUsername(username);
    await this.transactions.run(async (tx) => {
      await this.members.holdAdmin(tx, by);
      const remove = () => this.factors.removeAll(tx, user.id);
      await ((await this.factors.isLeft(tx, user.id)) ? this.ways.removing(tx, user.id, remove) : remove());
      await this.notices.add(tx, user.id, { what: 'second-factors-removed' });
      const subject = accountSubject(user.id, user.username);
      const { caller = null } = by ?? {};
      await this.audit.append(tx, { by: caller, action: 'user.remove_second_factor', subject });
    });
    this.tokens.forgetBearer(user.id);
  }

  /**
   * Changes an account's role with immediate effect. `by` is the proof of the admin; null for the operator, who may do
   * anything. Throws `NotFoundError`; as `MembersService.holdAdmin` does; and `InvalidFieldsError` if `by` takes the
   * role from the only admin.
   */
  async changeRole(username: string, role: Role, by: Confirmed | null = null): Promise<void> {
    const user = await this.findByUsername(username);
    await this.transactions.run(async (tx) => {
      const admins = await this.members.holdAdmin(tx, by);
      const before = await this.members.lock(tx, user.id);
      if (by !== null && role !== 'admin' && admins.length === 1 && admins[0] === user.id) {
        throw new InvalidFieldsError({ role: ['The only admin cannot give up the role.'] });
      }
      if (before.role === role) return;
      await this.repository.changeRole(tx, user.id, role);
      await this.audit.append(tx, {
        by: by?.caller ?? null,
        action: 'user.change_role',
        subject: accountSubject(user.id, user.username),
        detail: { from: before.role, to: role },
      });
      await this.notices.add(tx, user.id, { what: 'role-changed', role });
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
}

function assertMayGrant(scopes: readonly Scope[] | undefined, staff: boolean): void {
  const index = scopes?.indexOf('moderate') ?? -1;
  if (index >= 0 && !staff) {
    throw new InvalidFieldsError({
      [`scopes.${index}`]: ['Only moderators and admins can use this scope.'],
    });
  }
}
