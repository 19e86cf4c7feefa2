import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { Caller } from '../../base/access/caller';
import { InvalidFieldsError, NotFoundError, UnauthenticatedError } from '../../base/errors/domain-error';
import { AuthenticatorApps, type NewApp } from './authenticator-apps.service';
import type { Passkey } from './passkey.repository';
import { type PasskeyAttestation, type PasskeyOptions, Passkeys } from './passkeys.service';
import { PendingLogins } from './pending-logins.service';
import { RecoveryCodes } from './recovery-codes.service';
import { hasFactor, SecondFactorsService } from './second-factors.service';
import { LoginCredentials } from '../providers/login-credentials.service';
import { LoginHistory } from '../tokens/login-history.service';
import type { PastLogin } from '../tokens/login-history.repository';
import { FactorPolicyConfig } from '../tokens/factor-policy.config';
import { assertMayGrant, type MintedToken, type NewApiToken, TokensService } from '../tokens/tokens.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { AccountPasswords } from '../../accounts/users/account-passwords.service';
import type { AccountNotice } from '../../accounts/users/account-notice.rules';
import { type Proof, ReauthenticationService } from './reauthentication.service';
import { isModerator } from '../../base/access/viewer';

/** The second factors of an account, for its user. */
export interface SecurityView {
  /** Whether the account has an authenticator app. */
  readonly app: boolean;
  /** Whether the operator has made authenticator apps possible. */
  readonly appsAvailable: boolean;
  readonly passkeys: readonly Passkey[];
  /** The number of unused recovery codes. */
  readonly recoveryCodes: number;
  /** Whether the site requires a second factor of this account. */
  readonly required: boolean;
}

/** The first factor of an account makes its recovery codes, which are shown once. */
export interface AddedFactor {
  readonly recoveryCodes: readonly string[] | null;
}

const wrongCode = () => new InvalidFieldsError({ code: ['This code is wrong or was used already.'] });
const noApps = () =>
  new InvalidFieldsError({ authenticator_app: ['Authenticator apps are not available on this site.'] });
const hasApp = () =>
  new InvalidFieldsError({ authenticator_app: ['This account has an authenticator app already.'] });
const stillRequired = () =>
  new InvalidFieldsError({ second_factor: ['This site requires a second factor of moderators and admins.'] });

/**
 * Turning second factors on and off. Every change needs the password or a code again, and the account's user is told.
 * Sessions and tokens stay.
 */
@Injectable()
export class AccountSecurity {
  constructor(
    private readonly database: Database,
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: Passkeys,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly factors: SecondFactorsService,
    private readonly history: LoginHistory,
    private readonly accounts: AccountPasswords,
    private readonly reauthentication: ReauthenticationService,
    private readonly notices: AccountNotices,
    private readonly tokens: TokensService,
    private readonly config: FactorPolicyConfig,
    private readonly credentials: LoginCredentials,
    private readonly pending: PendingLogins,
  ) {}

  async find(caller: Caller): Promise<SecurityView> {
    const [counts, passkeys] = await Promise.all([
      this.factors.count(caller.userId),
      this.passkeys.findAll(caller.userId),
    ]);
    return {
      app: counts.app,
      appsAvailable: this.apps.isAvailable,
      passkeys,
      recoveryCodes: counts.recoveryCodes,
      required: this.isRequired(caller),
    };
  }

  /** The logins of the last 90 days, the latest first, at most 200. */
  findLogins(caller: Caller): Promise<readonly PastLogin[]> {
    return this.history.findLatest(caller.userId);
  }

  /**
   * Makes the secret of an authenticator app, which a first code must confirm within 15 minutes. Throws
   * `InvalidFieldsError` on a wrong proof, and on `authenticator_app` if the account has one or the site has none.
   */
  async beginApp(caller: Caller, proof: Proof): Promise<NewApp> {
    if (!this.apps.isAvailable) throw noApps();
    const confirmed = await this.reauthentication.confirm(caller, proof);
    const app = await this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'change');
      return this.apps.begin(tx, caller.userId, caller.username);
    });
    if (!app) throw hasApp();
    return app;
  }

  /** Turns the app on with its first code. Throws `InvalidFieldsError` on a wrong `code`. */
  async confirmApp(caller: Caller, code: string): Promise<AddedFactor> {
    const added = await this.database.transaction(async (tx) => {
      await this.lockAccount(tx, caller);
      if (!(await this.apps.confirm(tx, caller.userId, code.replaceAll(/\s/g, '')))) throw wrongCode();
      return this.added(tx, caller, { what: 'app-added' });
    });
    this.tokens.forgetBearer(caller.userId);
    return added;
  }

  /** Throws `InvalidFieldsError` on a wrong proof, and `NotFoundError`. */
  async removeApp(caller: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'change');
      if (!(await this.apps.remove(tx, caller.userId))) throw new NotFoundError();
      await this.removed(tx, caller, { what: 'app-removed' });
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /** Options for the browser to make a passkey. Throws `InvalidFieldsError` on a wrong proof. */
  async beginPasskey(caller: Caller, proof: Proof): Promise<PasskeyOptions> {
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.database.transaction((tx) => confirmed.hold(tx, 'share'));
    return this.passkeys.registrationOptions(caller.userId, caller.username);
  }

  /** Adds the passkey that a browser made with the options. Throws `InvalidFieldsError` on `passkey`. */
  async addPasskey(
    caller: Caller,
    sent: PasskeyAttestation,
    name: string,
  ): Promise<AddedFactor & { readonly passkey: Passkey }> {
    const verified = await this.passkeys.verifyNew(caller.userId, sent);
    const { id, added } = await this.database.transaction(async (tx) => {
      await this.lockAccount(tx, caller);
      const id = await this.passkeys.add(tx, caller.userId, verified, name);
      return { id, added: await this.added(tx, caller, { what: 'passkey-added', name }) };
    });
    this.tokens.forgetBearer(caller.userId);
    return { ...added, passkey: await this.findPasskey(caller, id) };
  }

  /** Throws `NotFoundError`. */
  async renamePasskey(caller: Caller, id: number, name: string): Promise<Passkey> {
    const renamed = await this.database.transaction((tx) =>
      this.passkeys.rename(tx, caller.userId, id, name),
    );
    if (!renamed) throw new NotFoundError();
    return this.findPasskey(caller, id);
  }

  /**
   * Throws `InvalidFieldsError` on a wrong proof, and on `way_in` if it is the last way to log in; and `NotFoundError`.
   */
  async removePasskey(caller: Caller, id: number, proof: Proof): Promise<void> {
    await this.findPasskey(caller, id);
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'change');
      const name = await this.passkeys.remove(tx, caller.userId, id);
      if (name === null) throw new NotFoundError();
      await this.credentials.assertLeft(tx, caller.userId);
      await this.removed(tx, caller, { what: 'passkey-removed', name });
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /** Replaces the recovery codes. Throws `InvalidFieldsError` on a wrong proof, or without a second factor. */
  async replaceRecoveryCodes(caller: Caller, proof: Proof): Promise<readonly string[]> {
    if (!hasFactor(await this.factors.count(caller.userId)))
      throw new InvalidFieldsError({ second_factor: ['Turn a second factor on first.'] });
    const confirmed = await this.reauthentication.confirm(caller, proof);
    return this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'change');
      const codes = await this.recoveryCodes.replace(tx, caller.userId);
      await this.notices.add(tx, caller.userId, { what: 'recovery-codes-replaced' });
      return codes;
    });
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

  /**
   * Ends all sessions of the caller's account except this one, its tickets, and logins that wait for a second factor.
   * Throws `InvalidFieldsError` on a wrong proof.
   */
  async endOtherSessions(caller: Caller, proof: Proof): Promise<void> {
    const confirmed = await this.reauthentication.confirm(caller, proof);
    await this.database.transaction(async (tx) => {
      await confirmed.hold(tx, 'share');
      await this.tokens.closeOtherSessions(tx, caller);
      await this.pending.removeAll(tx, caller.userId);
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /**
   * Ends a session of the caller's account, and the tickets that it requested. The caller's own needs no proof. Throws
   * `InvalidFieldsError` on a wrong proof, and `NotFoundError`.
   */
  async endSession(caller: Caller, id: number, proof: Proof): Promise<void> {
    const confirmed = id === caller.tokenId ? null : await this.reauthentication.confirm(caller, proof);
    await this.database.transaction(async (tx) => {
      await confirmed?.hold(tx, 'share');
      if (!(await this.tokens.closeSession(tx, caller.userId, id))) throw new NotFoundError();
    });
    this.tokens.forgetBearer(caller.userId);
  }

  /** Locks the account while a factor is added. Throws `UnauthenticatedError` if it is deleted. */
  private async lockAccount(tx: Transaction, { userId }: Caller): Promise<void> {
    if (!(await this.accounts.lockActive(tx, userId, 'change'))) throw new UnauthenticatedError();
  }

  private async findPasskey(caller: Caller, id: number): Promise<Passkey> {
    const passkey = await this.passkeys.find(caller.userId, id);
    if (!passkey) throw new NotFoundError();
    return passkey;
  }

  /** The account is locked. An account without codes gets some: they come and go with its factors. */
  private async added(tx: Transaction, caller: Caller, notice: AccountNotice): Promise<AddedFactor> {
    const hasCodes = await this.recoveryCodes.areLeft(tx, caller.userId);
    const codes = hasCodes ? null : await this.recoveryCodes.replace(tx, caller.userId);
    await this.notices.add(tx, caller.userId, notice);
    return { recoveryCodes: codes };
  }

  /** After a factor was removed: with the last one the recovery codes go too. */
  private async removed(tx: Transaction, caller: Caller, notice: AccountNotice): Promise<void> {
    if (!(await this.factors.isLeft(tx, caller.userId))) {
      if (this.isRequired(caller)) throw stillRequired();
      await this.recoveryCodes.removeAll(tx, caller.userId);
    }
    await this.notices.add(tx, caller.userId, notice);
  }

  private isRequired({ role, lacksStaffFactor }: Caller): boolean {
    const { secondFactor } = this.config;
    const isStaff = role !== 'user' || lacksStaffFactor === true;
    return secondFactor === 'required' || (secondFactor === 'staff' && isStaff);
  }
}
