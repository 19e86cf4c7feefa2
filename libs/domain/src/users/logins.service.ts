import { Injectable } from '@nestjs/common';
import type { LoginMethod, SecondFactor } from '@vitrine/contracts';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { explainSuspension } from '../account-states/account-standing';
import { AccountStatesService } from '../account-states/account-states.service';
import { AdmissionService } from '../admission/admission.service';
import { InvalidFieldsError, NotAdmittedError } from '../errors/domain-error';
import { IdentityProviders } from '../providers/identity-providers.service';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from './account-metrics';
import { accountKey, LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { UserRepository } from './user.repository';
import { type NoteLogin, type OpenedSession, UsersService } from './users.service';

/** Where a login comes from. */
export interface LoginOrigin {
  /** The key by which the limits tell clients apart: an IP address, or an IPv6 /64 network. */
  readonly client: string;
  /** The device as people know it, for example `Firefox on Linux`; null if unknown. */
  readonly device: string | null;
}

/**
 * How somebody has proved who they are. A passkey verifies its user, so it counts as both factors; the others are a
 * first factor, after which the account's second one is asked for.
 */
export type WayIn = Exclude<LoginMethod, 'registration'>;

/** A login that waits for the account's second factor. `secret` completes it, once, until `expiresAt`. */
export interface SecondFactorRequired {
  readonly secret: string;
  readonly expiresAt: Date;
  /** What the second step accepts; never empty. */
  readonly accepted: readonly SecondFactor[];
}

/** What a right first factor leads to. */
export type LoginResult =
  | { readonly outcome: 'session'; readonly session: OpenedSession }
  | { readonly outcome: 'second-factor'; readonly pending: SecondFactorRequired };

/** The same message for every failure, so that it doesn't reveal which accounts exist. */
const wrongLogin = () => new InvalidFieldsError({ login: ['These credentials do not match our records.'] });
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
    private readonly passwords: PasswordHasher,
    private readonly throttle: LoginThrottle,
    private readonly metrics: AccountMetrics,
    private readonly states: AccountStatesService,
    private readonly admission: AdmissionService,
    private readonly providers: IdentityProviders,
  ) {}

  /**
   * Logs in by username and password. Throws the same `InvalidFieldsError` on `login` for every failure, except that
   * the right password of a suspended account gives the reason; and `TooManyRequestsError` if this account or this
   * client has failed too often. Throws `NotAdmittedError` on a site without passwords.
   */
  async login(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    if (!this.providers.passwordLogin) throw new NotAdmittedError('no_passwords');
    return this.metrics.countLogin(() => this.openByPassword(login, password, origin));
  }

  private async openByPassword(login: string, password: string, origin: LoginOrigin): Promise<LoginResult> {
    const user = await this.repository.findByUsername(login);
    const account = user ? accountKey(user.id) : `nobody:${login.toLowerCase()}`;
    await this.throttle.countAttempt(account, origin.client);
    if (!(await this.passwords.verify(user?.passwordHash ?? null, password)) || !user) throw wrongLogin();
    const result = await this.open(user.id, origin, 'password', async (tx) => {
      // The password may have been changed since it was verified.
      const current = await this.repository.lockPasswordHash(tx, user.id, 'change');
      if (current !== user.passwordHash) throw wrongLogin();
    });
    await this.throttle.forgive(account, origin.client);
    return result;
  }

  /**
   * Opens a session of an account whose user has proved who they are, or asks for the account's second factor if
   * `method` is only a first one. `prove` takes part in the transaction: it locks the account and throws if the proof
   * no longer holds; `note` stores more about what was opened. Throws `InvalidFieldsError` on `login` if the account
   * may not log in.
   */
  async open(
    userId: number,
    { device }: LoginOrigin,
    method: WayIn,
    prove: (tx: Transaction) => Promise<void>,
    note?: NoteLogin,
  ): Promise<LoginResult> {
    await this.assertMayLogIn(userId);
    const opened = await this.transactions.run(async (tx) => {
      await prove(tx);
      const accepted = method === 'passkey' ? [] : await this.factors.findAccepted(userId);
      if (method === 'passkey' || accepted.length === 0) {
        const session = await this.tokens.openSession(tx, userId, device);
        await note?.(tx, { tokenId: session.id });
        return { session };
      }
      const pending = await this.pending.open(tx, { userId, method });
      await note?.(tx, { pendingLogin: pending.secret });
      return { pending: { ...pending, accepted } };
    });
    if (opened.pending) return { outcome: 'second-factor', pending: opened.pending };
    return {
      outcome: 'session',
      session: { account: await this.users.findAccount(userId), ...opened.session },
    };
  }

  private async assertMayLogIn(userId: number): Promise<void> {
    if (await this.admission.isApplicant(userId)) throw new InvalidFieldsError({ login: [NOT_DECIDED] });
    const standing = await this.states.find(userId);
    if (standing.state === 'suspended')
      throw new InvalidFieldsError({ login: [explainSuspension(standing)] });
  }
}
