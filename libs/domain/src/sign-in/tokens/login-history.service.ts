import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { isBase62, randomBase62 } from '../../base/identifiers/random-base62';
import { LoginHistoryRepository, type LoginRecord, type PastLogin } from './login-history.repository';

const DAYS_KEPT = 90;
/** The largest number of records of one account, which is also the length of the list. */
const MAX_LOGIN_RECORDS = 200;
const MAX_DEVICES = 50;
/** 238 random bits, so that the stored hash needs no salt. */
const SECRET_LENGTH = 40;

/** A login to record; `deviceToken` is what the browser got at an earlier login, if any. */
export interface NewLogin extends Omit<LoginRecord, 'knownDevice'> {
  readonly deviceToken: string | null;
}

/** The browser in which somebody logs in or registers. */
export interface Browser {
  /** The device as people know it, for example `Firefox on Linux`; null if unknown. */
  readonly device: string | null;
  /** The token that the browser got at an earlier login, if any. */
  readonly deviceToken?: string | null | undefined;
}

/** What is known of the browser that has logged in. */
export interface NotedDevice {
  readonly known: boolean;
  /** To be stored by the browser. */
  readonly token: string;
}

/** The history of logins, and the browsers that have logged in before. */
@Injectable()
export class LoginHistory {
  constructor(private readonly repository: LoginHistoryRepository) {}

  /** Records a login within the transaction that opens the session. The account is locked. */
  async record(tx: Transaction, userId: number, { deviceToken, ...login }: NewLogin): Promise<NotedDevice> {
    const token = await this.tokenFor(tx, deviceToken);
    const known = await this.repository.noteDevice(tx, userId, sha256(token));
    await this.repository.insert(tx, userId, { ...login, knownDevice: known });
    await this.repository.removeOld(tx, userId, DAYS_KEPT, MAX_LOGIN_RECORDS);
    await this.repository.removeOldDevices(tx, userId, MAX_DEVICES);
    return { known, token };
  }

  /** Whether a browser with this token has logged in to the account before. */
  async isKnown(userId: number, deviceToken: string | null): Promise<boolean> {
    return (
      deviceToken !== null &&
      isBase62(deviceToken, SECRET_LENGTH) &&
      this.repository.isKnown(userId, sha256(deviceToken))
    );
  }

  /** The logins of the last 90 days, the latest first, at most 200. */
  findLatest(userId: number): Promise<readonly PastLogin[]> {
    return this.repository.findLatest(userId, DAYS_KEPT, MAX_LOGIN_RECORDS);
  }

  /** Forgets the browsers that have logged in, within the transaction that changes the password. */
  forgetDevices(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeDevices(tx, userId);
  }

  removeAll(tx: Transaction, userId: number): Promise<void> {
    return this.repository.removeAll(tx, userId);
  }

  /** A browser in which several accounts log in has one token. Tokens that we didn't make are replaced. */
  private async tokenFor(tx: Transaction, sent: string | null): Promise<string> {
    const ours =
      sent !== null && isBase62(sent, SECRET_LENGTH) && (await this.repository.exists(tx, sha256(sent)));
    return ours ? sent : randomBase62(SECRET_LENGTH);
  }
}

const sha256 = (secret: string): Buffer => hash('sha256', secret, 'buffer');
