import { Injectable } from '@nestjs/common';
import type { LoginMethod, SecondFactor } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { explainSuspension } from '../account-states/account-standing';
import { AccountStatesService } from '../account-states/account-states.service';
import { AdmissionService } from '../admission/admission.service';
import { InvalidFieldsError, NotAdmittedError } from '../errors/domain-error';
import {
  type PasskeyAssertion,
  type PasskeyOptions,
  Passkeys,
  type VerifiedPasskey,
} from '../factors/passkeys.service';
import type { FirstFactor } from '../factors/pending-login.repository';
import { IdentitiesService } from '../identities/identities.service';
import { IdentityProviders } from '../providers/identity-providers.service';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { type Browser, LoginHistory } from '../login-history/login-history.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from './account-notices.service';
import { AccountMetrics } from './account-metrics';
import { accountKey, type Attempt, LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { UserRepository } from './user.repository';
import { type NoteLogin, type OpenedSession, UsersService } from './users.service';

/** Where a login comes from. */
export interface LoginOrigin extends Browser {
  /** The key by which the limits tell clients apart: an IP address, or an IPv6 /64 network. */
  readonly client: string;
}

/**
 * How somebody has proved who they are. A passkey verifies its user, so it counts as both factors; the others are a
 * first factor, after which the account's second one is asked for.
 */
export type LoginProof = Exclude<LoginMethod, 'registration'>;

/** A login that waits for the account's second factor. `secret` completes it, once, until `expiresAt`. */
export interface SecondFactorRequired {
  readonly secret: string;
  readonly expiresAt: Date;
  /** What the second step accepts; empty if the only factor was copied and no recovery codes are left. */
  readonly accepted: readonly SecondFactor[];
}

/** What a right first factor leads to. */
export type LoginResult =
  | { readonly outcome: 'session'; readonly session: OpenedSession }
  | { readonly outcome: 'second-factor'; readonly pending: SecondFactorRequired };

/** The same message for every failure, so that it doesn't reveal which accounts exist. */
const wrongLogin = () => new InvalidFieldsError({ login: ['These credentials do not match our records.'] });
const wrongSecondFactor = () => new InvalidFieldsError({ code: ['This code is wrong or was used already.'] });
const wrongPasskey = () => new InvalidFieldsError({ passkey: ['This passkey could not be verified.'] });
const endedLogin = () =>
  new InvalidFieldsError({ pending_login: ['This login has expired or was completed. Log in again.'] });
const NOT_DECIDED = 'Your application for this account is still waiting for a decision.';

/** Logging in. Every way to log in opens its session with `open`. */
@Injectable()
export class LoginsService {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly repository: UserRepository,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly factors: SecondFactorsService,
    private readonly pending: PendingLogins,
    private readonly passkeys: Passkeys,
    private readonly history: LoginHistory,
    private readonly notices: AccountNotices,
    private readonly passwords: PasswordHasher,
    private readonly throttle: LoginThrottle,
    private readonly metrics: AccountMetrics,
    private readonly states: AccountStatesService,
    private readonly admission: AdmissionService,
    private readonly providers: IdentityProviders,
    private readonly identities: IdentitiesService,
  ) {}

  /**
   * Logs in by username, or verified e-mail address, and password. Throws the same `InvalidFieldsError` on `login` for
   * every failure, except that the right password of a suspended account gives the reason; and `TooManyRequestsError` if
   * this account or this client has failed too often. Throws `NotAdmittedError` on a site without passwords.
   */
  async login(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
    return this.metrics.countLogin(
      () => this.openByPassword(login, password, origin),
      ({ outcome }) => (outcome === 'session' ? 'accepted' : 'pending'),
    );
  }

  private async openByPassword(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    const user = await this.repository.findByLogin(login);
    const attempt = await this.attemptOf(user?.id ?? null, login.toLowerCase(), origin);
    await this.throttle.countAttempt(attempt);
    if (!(await this.passwords.verify(user?.passwordHash ?? null, password)) || !user) throw wrongLogin();
    const result = await this.open(user.id, origin, 'password', async (tx) => {
      // The password may have been changed since it was verified.
      const current = await this.repository.lockPasswordHash(tx, user.id, 'change');
      if (current !== user.passwordHash) throw wrongLogin();
    });
    await this.throttle.forgive(attempt);
    return result;
  }

  private async attemptOf(userId: number | null, typed: string, origin: LoginOrigin): Promise<Attempt> {
    const { client, deviceToken = null } = origin;
    if (userId === null) return { account: `nobody:${typed}`, typed, client };
    const known = await this.history.isKnown(userId, deviceToken);
    return { account: accountKey(userId), typed, client, knownDevice: known ? deviceToken : null };
  }

  /** Options for the browser to log in with any passkey. */
  passkeyOptions(): Promise<PasskeyOptions> {
    return this.passkeys.assertionOptions('login', null);
  }

  /** Logs in with a passkey alone. Throws `InvalidFieldsError` on `passkey`, or on `login` if the account may not log in. */
  loginByPasskey(sent: PasskeyAssertion, origin: LoginOrigin): Promise<OpenedSession> {
    return this.metrics.countLogin(async () => {
      const passkey = await this.passkeys.verify(sent, 'login', null);
      if (!passkey) throw wrongPasskey();
      return this.openSession(passkey.userId, origin, 'passkey', async (tx) => {
        await this.usePasskey(tx, passkey);
        return null;
      }).catch((error: unknown) => this.reportIfCloned(passkey, error));
    });
  }

  /** Options for the browser to complete a login with a passkey of its account. Throws `InvalidFieldsError` on `pending_login`. */
  async secondFactorOptions(pendingLogin: string): Promise<PasskeyOptions> {
    const login = await this.pending.find(pendingLogin);
    if (!login) throw endedLogin();
    return this.passkeys.assertionOptions('confirmation', login.userId);
  }

  /**
   * Completes a login with its second factor. Throws `InvalidFieldsError` on `pending_login` if it has ended, on `code`
   * or `passkey` if that is wrong, on `login` if the account may no longer log in; and `TooManyRequestsError`.
   */
  complete(
    pendingLogin: string,
    proof: { readonly code: string } | { readonly passkey: PasskeyAssertion },
    origin: LoginOrigin,
  ): Promise<OpenedSession> {
    return this.metrics.countLogin(async () => {
      const login = await this.transactions.run((tx) => this.pending.countAttempt(tx, pendingLogin));
      if (!login) throw endedLogin();
      const attempt = await this.attemptOf(login.userId, '', origin);
      await this.throttle.countSecondFactor(attempt);
      const session =
        'code' in proof
          ? await this.completeWithCode(pendingLogin, login, proof.code, origin)
          : await this.completeWithPasskey(pendingLogin, login, proof.passkey, origin);
      await this.throttle.forgiveSecondFactor(attempt);
      return session;
    });
  }

  private completeWithCode(
    pendingLogin: string,
    { userId, method }: { readonly userId: number; readonly method: FirstFactor },
    code: string,
    origin: LoginOrigin,
  ): Promise<OpenedSession> {
    return this.openSession(
      userId,
      origin,
      method,
      async (tx) => {
        await this.holdPending(tx, userId, pendingLogin);
        const used = await this.factors.useCode(tx, userId, code);
        if (!used) throw wrongSecondFactor();
        if (used === 'recovery-code') await this.notices.add(tx, userId, { what: 'recovery-code-used' });
        return used;
      },
      this.completing(pendingLogin),
    );
  }

  private async completeWithPasskey(
    pendingLogin: string,
    { userId, method }: { readonly userId: number; readonly method: FirstFactor },
    sent: PasskeyAssertion,
    origin: LoginOrigin,
  ): Promise<OpenedSession> {
    const passkey = await this.passkeys.verify(sent, 'confirmation', userId);
    if (!passkey) throw wrongPasskey();
    return this.openSession(
      userId,
      origin,
      method,
      async (tx) => {
        await this.holdPending(tx, userId, pendingLogin);
        await this.usePasskey(tx, passkey);
        return 'passkey';
      },
      this.completing(pendingLogin),
    ).catch((error: unknown) => this.reportIfCloned(passkey, error));
  }

  /** A session that a login with a provider opens keeps the provider's session, which may end it. */
  private completing(pendingLogin: string): NoteLogin {
    return async (tx, opened) => {
      if ('tokenId' in opened) await this.identities.completePendingLogin(tx, pendingLogin, opened.tokenId);
    };
  }

  private async holdPending(tx: Transaction, userId: number, pendingLogin: string): Promise<void> {
    if (!(await this.repository.lockActive(tx, userId, 'change'))) throw endedLogin();
    if (!(await this.pending.complete(tx, pendingLogin))) throw endedLogin();
  }

  private async usePasskey(tx: Transaction, passkey: VerifiedPasskey): Promise<void> {
    if (!(await this.repository.lockActive(tx, passkey.userId, 'change'))) throw wrongPasskey();
    if (!(await this.passkeys.use(tx, passkey))) throw new ClonedPasskeyError();
  }

  /** The transaction of the login is rolled back, so the passkey ends in another transaction. */
  private async reportIfCloned(passkey: VerifiedPasskey, error: unknown): Promise<never> {
    if (!(error instanceof ClonedPasskeyError)) throw error;
    await this.transactions.run(async (tx) => {
      if (await this.passkeys.markCloned(tx, passkey))
        await this.notices.add(tx, passkey.userId, { what: 'passkey-cloned', name: passkey.name });
    });
    throw wrongPasskey();
  }

  /**
   * Opens a session of an account whose user has proved who they are, or asks for the account's second factor if
   * `method` is only a first one. `prove` takes part in the transaction: it locks the account and throws if the proof
   * no longer holds; `note` stores more about what was opened. Throws `InvalidFieldsError` on `login` if the account
   * may not log in.
   */
  async open(
    userId: number,
    origin: LoginOrigin,
    method: LoginProof,
    prove: (tx: Transaction) => Promise<void>,
    note?: NoteLogin,
  ): Promise<LoginResult> {
    const accepted = method === 'passkey' ? null : await this.factors.findAccepted(userId);
    if (method === 'passkey' || accepted === null) {
      const noFactor = async (tx: Transaction): Promise<null> => {
        await prove(tx);
        // A factor may have been turned on in the meantime; the account is locked now.
        if (method !== 'passkey' && (await this.factors.isLeft(tx, userId))) throw wrongLogin();
        return null;
      };
      return { outcome: 'session', session: await this.openSession(userId, origin, method, noFactor, note) };
    }
    await this.assertMayLogIn(userId);
    const opened = await this.transactions.run(async (tx) => {
      await prove(tx);
      const opened = await this.pending.open(tx, { userId, method });
      await note?.(tx, { pendingLogin: opened.secret });
      return opened;
    });
    return { outcome: 'second-factor', pending: { ...opened, accepted } };
  }

  /** `prove` returns the second factor, if there was one. */
  private async openSession(
    userId: number,
    { client, device, deviceToken = null }: LoginOrigin,
    method: LoginProof,
    prove: (tx: Transaction) => Promise<SecondFactor | null>,
    note?: NoteLogin,
  ): Promise<OpenedSession> {
    await this.assertMayLogIn(userId);
    const session = await this.transactions.run(async (tx) => {
      const secondFactor = await prove(tx);
      const opened = await this.tokens.openSession(tx, userId, device);
      await note?.(tx, { tokenId: opened.id });
      const login = { method, secondFactor, device, address: client, deviceToken };
      const { known, token } = await this.history.record(tx, userId, login);
      if (!known) await this.notices.add(tx, userId, { what: 'new-device', device, address: client });
      return { ...opened, deviceToken: token };
    });
    return { account: await this.users.findAccount(userId), ...session };
  }

  private async assertMayLogIn(userId: number): Promise<void> {
    if (await this.admission.isApplicant(userId)) throw new InvalidFieldsError({ login: [NOT_DECIDED] });
    const standing = await this.states.find(userId);
    if (standing.state === 'suspended')
      throw new InvalidFieldsError({ login: [explainSuspension(standing)] });
  }
}

/** The counter of a passkey did not rise: a copy of it exists. */
class ClonedPasskeyError extends Error {}
