import { Injectable } from '@nestjs/common';
import type { SecondFactor } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { AuthenticatorApps } from './authenticator-apps.service';
import { looksLikeAppCode } from './one-time-code';
import { Passkeys } from './passkeys.service';
import { PendingLogins } from './pending-logins.service';
import { RecoveryCodes } from './recovery-codes.service';
import { type FactorCounts, SecondFactorRepository } from './second-factor.repository';

/** The second factors of accounts, together. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly repository: SecondFactorRepository,
    private readonly apps: AuthenticatorApps,
    private readonly passkeys: Passkeys,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly pending: PendingLogins,
  ) {}

  count(userId: number): Promise<FactorCounts> {
    return this.repository.count(userId);
  }

  /** What the second step of a login accepts, as `tx` sees it; null if the account has no second factor. */
  async findAccepted(tx: Transaction, userId: number): Promise<readonly SecondFactor[] | null> {
    const counts = await this.repository.count(userId, tx);
    if (!hasFactor(counts)) return null;
    const { app, passkeys, recoveryCodes } = counts;
    return [
      ...(app ? (['app'] as const) : []),
      ...(passkeys > 0 ? (['passkey'] as const) : []),
      ...(recoveryCodes > 0 ? (['recovery-code'] as const) : []),
    ];
  }

  /** Whether the account has a second factor, as the transaction sees it. */
  isLeft(tx: Transaction, userId: number): Promise<boolean> {
    return this.repository.isLeft(tx, userId);
  }

  /** Uses up a code of the authenticator app or a recovery code. Null if it is wrong. */
  async useCode(
    tx: Transaction,
    userId: number,
    typed: string,
  ): Promise<Exclude<SecondFactor, 'passkey'> | null> {
    const code = typed.replaceAll(/\s/g, '');
    if (looksLikeAppCode(code)) return (await this.apps.verify(tx, userId, code)) ? 'app' : null;
    return (await this.recoveryCodes.use(tx, userId, code)) ? 'recovery-code' : null;
  }

  /** Removes every second factor of an account, and its pending logins. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await this.apps.remove(tx, userId);
    await this.passkeys.removeAll(tx, userId);
    await this.recoveryCodes.removeAll(tx, userId);
    await this.pending.removeAll(tx, userId);
  }
}

/** Whether an account has a second factor, also one that can no longer be used. */
export const hasFactor = ({ app, passkeys, clonedPasskeys }: FactorCounts): boolean =>
  app || passkeys > 0 || clonedPasskeys > 0;
