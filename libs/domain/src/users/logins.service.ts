import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionRunner } from '@vitrine/database';
import { explainSuspension } from '../account-states/account-standing';
import { AccountStatesService } from '../account-states/account-states.service';
import { AdmissionService } from '../admission/admission.service';
import { InvalidFieldsError } from '../errors/domain-error';
import { TokensService } from '../tokens/tokens.service';
import { AccountMetrics } from './account-metrics';
import { accountKey, LoginThrottle } from './login-throttle';
import { PasswordHasher } from './password-hasher';
import { UserRepository } from './user.repository';
import { type OpenedSession, UsersService } from './users.service';

/** Where a login comes from. */
export interface LoginOrigin {
  /** The key by which the limits tell clients apart: an IP address, or an IPv6 /64 network. */
  readonly client: string;
  /** The device as people know it, for example `Firefox on Linux`; null if unknown. */
  readonly device: string | null;
}

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
    private readonly passwords: PasswordHasher,
    private readonly throttle: LoginThrottle,
    private readonly metrics: AccountMetrics,
    private readonly states: AccountStatesService,
    private readonly admission: AdmissionService,
  ) {}

  /**
   * Opens a session by username, or verified e-mail address, and password. Throws the same `InvalidFieldsError` on `login` for every failure,
   * except that the right password of a suspended account gives the reason; and `TooManyRequestsError` if this account
   * or this client has failed too often.
   */
  login(login: string, password: string, origin: LoginOrigin): Promise<OpenedSession> {
    return this.metrics.countLogin(() => this.openByPassword(login, password, origin));
  }

  private async openByPassword(login: string, password: string, origin: LoginOrigin): Promise<OpenedSession> {
    const user = await this.repository.findByLogin(login);
    const account = user ? accountKey(user.id) : `nobody:${login.toLowerCase()}`;
    await this.throttle.countAttempt(account, origin.client);
    if (!(await this.passwords.verify(user?.passwordHash ?? null, password)) || !user) throw wrongLogin();
    const session = await this.open(user.id, origin, async (tx) => {
      // The password may have been changed since it was verified.
      const current = await this.repository.lockPasswordHash(tx, user.id, 'change');
      if (current !== user.passwordHash) throw wrongLogin();
    });
    await this.throttle.forgive(account, origin.client);
    return session;
  }

  /**
   * Opens a session of an account whose user has proved who they are. `prove` takes part in the transaction: it locks
   * the account and throws if the proof no longer holds. Throws `InvalidFieldsError` on `login` if the account may not
   * log in.
   */
  async open(
    userId: number,
    { device }: LoginOrigin,
    prove: (tx: Transaction) => Promise<void>,
  ): Promise<OpenedSession> {
    await this.assertMayLogIn(userId);
    const session = await this.transactions.run(async (tx) => {
      await prove(tx);
      return this.tokens.openSession(tx, userId, device);
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
