import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { AuthenticatorAppRepository } from './authenticator-app.repository';
import { FactorsConfig } from './factors.config';
import { appUri, newAppSecret, printAppSecret, stepOfCode } from './one-time-code';
import { SecretBox } from './secret-box';

/** Minutes in which a new app must be confirmed. */
const CONFIRM_MINUTES = 15;

/** The secret of a new app, which is shown once. */
export interface NewApp {
  /** Base32, to type. */
  readonly secret: string;
  /** `otpauth://totp/…`, for a QR code. */
  readonly uri: string;
}

/** Authenticator apps: one of each account, with codes by RFC 6238 that work once. */
@Injectable()
export class AuthenticatorApps {
  private readonly box: SecretBox | null;
  private readonly siteName: string;

  constructor(
    private readonly repository: AuthenticatorAppRepository,
    config: FactorsConfig,
  ) {
    this.box = config.accountSecretsKey === '' ? null : new SecretBox(config.accountSecretsKey);
    this.siteName = config.rpId;
  }

  /** Whether the operator has set the key of the secrets. */
  get isAvailable(): boolean {
    return this.box !== null;
  }

  /** Makes the secret of an app that a first code must confirm. Null if the account has an app or apps aren't available. */
  async begin(tx: Transaction, userId: number, username: string): Promise<NewApp | null> {
    if (!this.box) return null;
    const secret = newAppSecret();
    if (!(await this.repository.begin(tx, userId, this.box.seal(secret, userId)))) return null;
    return { secret: printAppSecret(secret), uri: appUri(secret, this.siteName, username) };
  }

  /** Confirms an app with its first code. Returns false for a wrong code, and if there is no app to confirm. */
  async confirm(tx: Transaction, userId: number, code: string): Promise<boolean> {
    return this.useCode(tx, userId, code, false);
  }

  /** Uses a code up. Returns false if it is wrong, too old, or if it or a later one was used already. */
  async verify(tx: Transaction, userId: number, code: string): Promise<boolean> {
    return this.useCode(tx, userId, code, true);
  }

  private async useCode(tx: Transaction, userId: number, code: string, confirmed: boolean): Promise<boolean> {
    const app = await this.repository.lock(tx, userId, CONFIRM_MINUTES);
    if (!app || app.confirmed !== confirmed) return false;
    const secret = this.box?.open(app.sealedSecret, userId) ?? null;
    const step = secret && stepOfCode(secret, code);
    if (step === null || step <= app.lastStep) return false;
    await this.repository.noteStep(tx, userId, step);
    return true;
  }

  /** Returns whether the account had a confirmed app. */
  remove(tx: Transaction, userId: number): Promise<boolean> {
    return this.repository.remove(tx, userId);
  }
}
