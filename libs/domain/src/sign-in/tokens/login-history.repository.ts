import { Injectable } from '@nestjs/common';
import type { LoginMethod, SecondFactor } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';

/** A login that opened a session. */
export interface LoginRecord {
  readonly method: LoginMethod;
  /** Null if the account had no second factor, or the passkey was both. */
  readonly secondFactor: SecondFactor | null;
  /** For example `Firefox on Linux`; null if unknown. */
  readonly device: string | null;
  /** IPv4 address, or the /64 network of an IPv6 address. */
  readonly address: string;
  /** Whether the browser had logged in to the account before. */
  readonly knownDevice: boolean;
}

/** A record with its time. */
export interface PastLogin extends LoginRecord {
  readonly id: number;
  readonly createdAt: Date;
}

/** Every query on the tables `login_records` and `known_devices`. */
@Injectable()
export class LoginHistoryRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, userId: number, login: LoginRecord): Promise<void> {
    await tx.query(
      `insert into login_records (user_id, method, second_factor, device, address, known_device)
       values ($1, $2, $3, $4, $5, $6)`,
      [userId, login.method, login.secondFactor, login.device, login.address, login.knownDevice],
    );
  }

  /** Removes the records of an account that are older than `days`, and its oldest beyond `kept`. */
  async removeOld(tx: Transaction, userId: number, days: number, kept: number): Promise<void> {
    await tx.query(
      `delete from login_records where user_id = $1 and (created_at < now() - make_interval(days => $2)
         or id in (select id from login_records where user_id = $1 order by id desc offset $3))`,
      [userId, days, kept],
    );
  }

  /** The latest first, at most `limit`. */
  findLatest(userId: number, days: number, limit: number): Promise<readonly PastLogin[]> {
    return this.database.read<PastLogin>(
      `select id, created_at as "createdAt", method, second_factor as "secondFactor", device, address,
              known_device as "knownDevice"
       from login_records where user_id = $1 and created_at > now() - make_interval(days => $2)
       order by id desc limit $3`,
      [userId, days, limit],
    );
  }

  async isKnown(userId: number, secretSha256: Buffer): Promise<boolean> {
    const rows = await this.database.read(
      'select 1 as known from known_devices where secret_sha256 = $2 and user_id = $1',
      [userId, secretSha256],
    );
    return rows.length > 0;
  }

  /** Whether some account knows a device. */
  async exists(tx: Transaction, secretSha256: Buffer): Promise<boolean> {
    return (
      (
        await tx.query<object>('select 1 as known from known_devices where secret_sha256 = $1 limit 1', [
          secretSha256,
        ])
      ).length > 0
    );
  }

  /** Records that a device has logged in. Returns whether the account knew it before. */
  async noteDevice(tx: Transaction, userId: number, secretSha256: Buffer): Promise<boolean> {
    const [row] = await tx.query<{ known: boolean }>(
      `insert into known_devices (user_id, secret_sha256) values ($1, $2)
       on conflict (secret_sha256, user_id) do update set last_used_at = now() returning xmax <> 0 as known`,
      [userId, secretSha256],
    );
    return row?.known ?? false;
  }

  async removeOldDevices(tx: Transaction, userId: number, kept: number): Promise<void> {
    await tx.query(
      `delete from known_devices where user_id = $1 and secret_sha256 in (
         select secret_sha256 from known_devices where user_id = $1 order by last_used_at desc offset $2)`,
      [userId, kept],
    );
  }

  async removeDevices(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from known_devices where user_id = $1', [userId]);
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await this.removeDevices(tx, userId);
    await tx.query('delete from login_records where user_id = $1', [userId]);
  }
}
