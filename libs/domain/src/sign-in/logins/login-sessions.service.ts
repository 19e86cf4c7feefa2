import { Injectable } from '@nestjs/common';
import type { LoginMethod, SecondFactor } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { explainSuspension } from '../../accounts/states/account-standing';
import { AccountStatesService } from '../../accounts/states/account-states.service';
import { AdmissionService } from '../../accounts/admission/admission.service';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import type { FirstFactor } from '../factors/pending-login.repository';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { type Browser, LoginHistory } from '../tokens/login-history.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { type NewSession, type OpenedSession, UsersService } from '../../accounts/users/users.service';

/** Where a login comes from. */
export interface LoginOrigin extends Browser {
  /** The key by which the limits tell clients apart: an IP address, or an IPv6 /64 network. */
  readonly client: string;
}

/** A login that waits for the account's second factor. `secret` completes it, once, until `expiresAt`. */
export interface SecondFactorRequired {
  readonly secret: string;
  readonly expiresAt: Date;
  /** What the second step accepts; empty if the only factor was copied and no recovery codes are left. */
  readonly accepted: readonly SecondFactor[];
}

/** What a right first factor leads to, for the person. */
export type LoginResult =
  | { readonly outcome: 'session'; readonly session: OpenedSession }
  | { readonly outcome: 'second-factor'; readonly pending: SecondFactorRequired };

const NOT_DECIDED = 'Your application for this account is still waiting for a decision.';

/** The steps that all logins share, however the person has proved who they are. */
@Injectable()
export class LoginSessions {
  constructor(
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly factors: SecondFactorsService,
    private readonly pending: PendingLogins,
    private readonly history: LoginHistory,
    private readonly notices: AccountNotices,
    private readonly states: AccountStatesService,
    private readonly admission: AdmissionService,
  ) {}

  /** Throws `InvalidFieldsError` on `login` if the account may not log in. To be called before the transaction. */
  async assertMayLogIn(userId: number): Promise<void> {
    if (await this.admission.isApplicant(userId)) throw new InvalidFieldsError({ login: [NOT_DECIDED] });
    const standing = await this.states.find(userId);
    if (standing.state === 'suspended')
      throw new InvalidFieldsError({ login: [explainSuspension(standing)] });
  }

  /**
   * After a first factor: opens a session, or a pending login if the account has a second factor. To be called within
   * the transaction that has locked the account and then checked that the proof still holds.
   */
  async open(
    tx: Transaction,
    userId: number,
    origin: LoginOrigin,
    method: FirstFactor,
  ): Promise<NewSession | SecondFactorRequired> {
    const accepted = await this.factors.findAccepted(tx, userId);
    if (accepted === null) return this.openSession(tx, userId, origin, method, null);
    return { ...(await this.pending.open(tx, { userId, method })), accepted };
  }

  /** As `open`, after every required factor. */
  async openSession(
    tx: Transaction,
    userId: number,
    { client: address, device, deviceToken = null }: LoginOrigin,
    method: LoginMethod,
    secondFactor: SecondFactor | null,
  ): Promise<NewSession> {
    const session = await this.tokens.openSession(tx, userId, device);
    const login = { method, secondFactor, device, address, deviceToken };
    const { known, token } = await this.history.record(tx, userId, login);
    if (!known) await this.notices.add(tx, userId, { what: 'new-device', device, address });
    return { ...session, deviceToken: token };
  }

  /** What `open` has opened, for the person. To be called after the commit. */
  async resultOf(userId: number, opened: NewSession | SecondFactorRequired): Promise<LoginResult> {
    if ('accepted' in opened) return { outcome: 'second-factor', pending: opened };
    return { outcome: 'session', session: await this.withAccount(userId, opened) };
  }

  async withAccount(userId: number, session: NewSession): Promise<OpenedSession> {
    return { account: await this.users.findAccount(userId), ...session };
  }
}
