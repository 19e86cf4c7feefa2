import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { LinkPurpose } from './mail.types';

/** A link that is valid. */
export interface AccountLink {
  readonly userId: number;
  /** The address to which a link that verifies an address was sent. */
  readonly address: string | null;
}

/** Every query on the table `account_links`. */
@Injectable()
export class AccountLinkRepository {
  constructor(private readonly database: Database) {}

  /** Returns when the link expires. */
  async insert(
    tx: Transaction,
    link: AccountLink & {
      readonly purpose: LinkPurpose;
      readonly codeSha256: Buffer;
      readonly minutes: number;
    },
  ): Promise<Date> {
    const [row] = await tx.query<{ expiresAt: Date }>(
      `insert into account_links (user_id, purpose, address, code_sha256, expires_at)
       values ($1, $2, $3, $4, now() + make_interval(mins => $5)) returning expires_at as "expiresAt"`,
      [link.userId, link.purpose, link.address, link.codeSha256, link.minutes],
    );
    if (!row) throw new Error('A new row has no end');
    return row.expiresAt;
  }

  async find(purpose: LinkPurpose, codeSha256: Buffer): Promise<AccountLink | null> {
    const [row] = await this.database.read<AccountLink>(
      `select user_id as "userId", address from account_links
       where code_sha256 = $2 and purpose = $1 and expires_at > now()`,
      [purpose, codeSha256],
    );
    return row ?? null;
  }

  /** Removes a valid link. Returns whether there was one. */
  use(tx: Transaction, purpose: LinkPurpose, codeSha256: Buffer): Promise<boolean> {
    return tx.affects(
      `delete from account_links where code_sha256 = $2 and purpose = $1 and expires_at > now()`,
      [purpose, codeSha256],
    );
  }

  async removeOf(tx: Transaction, userId: number, purposes: readonly LinkPurpose[]): Promise<void> {
    await tx.query('delete from account_links where user_id = $1 and purpose = any($2)', [userId, purposes]);
  }

  async removeExpired(tx: Transaction): Promise<void> {
    await tx.query('delete from account_links where expires_at <= now()');
  }
}
