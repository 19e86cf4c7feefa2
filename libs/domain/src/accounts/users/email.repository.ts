import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import { isActiveMemberSql } from '../../base/queries/member-sql';

/** How an account is reached by mail. */
export interface Contact {
  readonly userId: number;
  readonly username: string;
  /** As the person entered it. */
  readonly email: string | null;
  /** The verified address. */
  readonly verifiedEmail: string | null;
}

const CONTACT = 'u.id as "userId", u.username, u.email, u.verified_email as "verifiedEmail"';

/** The queries on the email addresses in `users`. */
@Injectable()
export class EmailRepository {
  /** The contact of an active member; locks it with `for no key update`, as all do who change it. */
  async lock(tx: Transaction, userId: number): Promise<Contact | null> {
    const [row] = await tx.query<Contact>(
      `select ${CONTACT} from users u where u.id = $1 and ${isActiveMemberSql('u')} for no key update`,
      [userId],
    );
    return row ?? null;
  }

  /** As `lock`, without a lock. */
  async find(tx: Transaction, userId: number): Promise<Contact | null> {
    const [row] = await tx.query<Contact>(
      `select ${CONTACT} from users u where u.id = $1 and ${isActiveMemberSql('u')}`,
      [userId],
    );
    return row ?? null;
  }

  /** The id of the active member with this username or verified address, ignoring case. */
  async findIdByLogin(tx: Transaction, login: string): Promise<number | null> {
    const [row] = await tx.query<{ id: number }>(
      `select u.id from users u
       where (lower(u.username) = lower($1) or lower(u.verified_email) = lower($1)) and ${isActiveMemberSql('u')}`,
      [login],
    );
    return row?.id ?? null;
  }

  /** Stores an address that is not verified yet; null also removes the verified address. */
  async enter(tx: Transaction, userId: number, email: string | null): Promise<void> {
    await tx.query(
      `update users set email = $2, verified_email = case when $2::text is null then null else verified_email end
       where id = $1`,
      [userId, email],
    );
  }

  /** Removes an entered address that is not verified, if there is a verified one. */
  async returnToVerified(tx: Transaction, userId: number): Promise<void> {
    await tx.query('update users set email = verified_email where id = $1 and verified_email is not null', [
      userId,
    ]);
  }

  /** Makes the entered address the verified one. Throws PostgreSQL's unique_violation of `users_verified_email_key`. */
  async verify(tx: Transaction, userId: number): Promise<void> {
    await tx.query('update users set verified_email = email where id = $1', [userId]);
  }
}
