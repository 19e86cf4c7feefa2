import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** An application for an account. */
export interface Application {
  readonly username: string;
  readonly email: string | null;
  readonly words: string;
  readonly createdAt: Date;
}

const APPLICATION = `u.username, u.email, a.words, a.created_at as "createdAt"`;

/** Every query on the table `applications`. */
@Injectable()
export class ApplicationRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Transaction, userId: number, words: string): Promise<void> {
    await tx.query('insert into applications (user_id, words) values ($1, $2)', [userId, words]);
  }

  async exists(userId: number): Promise<boolean> {
    const rows = await this.database.read('select 1 as applied from applications where user_id = $1', [
      userId,
    ]);
    return rows.length > 0;
  }

  /** The user id of an applicant by username, ignoring case; null if there is none. */
  async findUserId(username: string): Promise<number | null> {
    const [row] = await this.database.read<{ id: number }>(
      `select u.id from users u join applications a on a.user_id = u.id where lower(u.username) = lower($1)`,
      [username],
    );
    return row?.id ?? null;
  }

  /** Removes an application. Returns false if it has been removed already. */
  remove(tx: Transaction, userId: number): Promise<boolean> {
    return tx.affects('delete from applications where user_id = $1', [userId]);
  }

  /** One page, oldest first; `offset` counts from 0. */
  findPage(limit: number, offset: number): Promise<readonly Application[]> {
    return this.database.read<Application>(
      `select ${APPLICATION} from applications a join users u on u.id = a.user_id
       order by a.created_at, a.user_id limit $1 offset $2`,
      [limit, offset],
    );
  }

  async count(): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(
      'select count(*) as total from applications',
      [],
    );
    return row?.total ?? 0;
  }
}
