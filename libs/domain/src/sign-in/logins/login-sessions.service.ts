import { Injectable } from '@nestjs/common';
import type { LoginMethod, SecondFactor } from '@vitrine/contracts';
import { type Transaction, Database } from '@vitrine/database';
import { explainSuspension } from '../../accounts/states/account-standing';
import { AccountStatesService } from '../../accounts/states/account-states.service';
import { AdmissionService } from '../../accounts/admission/admission.service';
import { InvalidFieldsError } from '../../base/errors/domain-error';
import { PendingLogins } from '../factors/pending-logins.service';
import { SecondFactorsService } from '../factors/second-factors.service';
import { type Browser, LoginHistory } from '../history/login-history.service';
import { TokensService } from '../tokens/tokens.service';
import { AccountNotices } from '../../accounts/users/account-notices.service';
import { type NoteLogin, type OpenedSession, UsersService } from '../../accounts/users/users.service';
import { wrongLogin } from './login-errors.rules';

/** Where a login comes from. */
export interface LoginOrigin extends Browser {
  /** The key by which the limits tell clients apart: an IP address, or an IPv6 /64 network. */
  readonly client: string;
}

/**
 * How a person has proved who they are. A passkey verifies its user, so it counts as both factors; the others are a
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

const NOT_DECIDED = 'Your application for this account is still waiting for a decision.';

/** Opens the session of every login, however the person has proved who they are. */
@Injectable()
export class LoginSessions {
  constructor(
    private readonly database: Database,
    private readonly users: UsersService,
    private readonly tokens: TokensService,
    private readonly factors: SecondFactorsService,
    private readonly pending: PendingLogins,
    private readonly history: LoginHistory,
    private readonly notices: AccountNotices,
    private readonly states: AccountStatesService,
    private readonly admission: AdmissionService,
  ) {}

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
      return { outcome: 'session', session: await this.openProved(userId, origin, method, noFactor, note) };
    }
    await this.assertMayLogIn(userId);
    const opened = await this.database.transaction(async (tx) => {
      await prove(tx);
      const opened = await this.pending.open(tx, { userId, method });
      await note?.(tx, { pendingLogin: opened.secret });
      return opened;
    });
    return { outcome: 'second-factor', pending: { ...opened, accepted } };
  }

  /** As `open`, after every required factor: `prove` returns the second factor, or null if there was none. */
  async openProved(
    userId: number,
    { client, device, deviceToken = null }: LoginOrigin,
    method: LoginProof,
    prove: (tx: Transaction) => Promise<SecondFactor | null>,
    note?: NoteLogin,
  ): Promise<OpenedSession> {
    await this.assertMayLogIn(userId);
    const session = await this.database.transaction(async (tx) => {
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
