import { createHash, randomBytes } from 'node:crypto';
import { randomTokenSecret, type TestTokenKind } from '@vitrine/testing';
import type { Pool } from 'pg';

const SCOPES = ['read', 'upload', 'write'] as const;

export interface NewToken {
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
}

/** An account that was inserted into the database, which is faster than registering it. */
export interface Person {
  readonly id: number;
  readonly username: string;
  /** Secret of a session, or of the guest's token if the person is a guest. */
  readonly session: string;
  /** Creates an API token, by default with every scope, and returns its secret. */
  mintToken(token?: NewToken): Promise<string>;
  /** Creates an upload ticket and returns its secret. */
  mintTicket(): Promise<string>;
}

export interface NewPerson {
  readonly role?: 'user' | 'moderator' | 'admin';
  /** An account that has the same password. */
  readonly passwordOf?: string;
  /** A guest, who has neither name nor password. */
  readonly guest?: boolean;
}

export async function createPerson(
  database: Pick<Pool, 'query'>,
  { role = 'user', passwordOf, guest = false }: NewPerson = {},
): Promise<Person> {
  const username = guest ? `~${randomBytes(10).toString('hex')}` : `user_${randomBytes(6).toString('hex')}`;
  const { rows } = await database.query<{ id: string }>(
    `insert into users (username, role, password_hash, kind, review_after)
     values ($1, $2, (select password_hash from users where username = $3), $4, $5) returning id`,
    [
      username,
      role,
      guest ? null : (passwordOf ?? null),
      guest ? 'guest' : 'member',
      guest ? inAnHour() : null,
    ],
  );
  const id = Number(rows[0]?.id);
  const mint = async (kind: TestTokenKind, { scopes = SCOPES, expiresAt }: NewToken): Promise<string> => {
    const secret = randomTokenSecret(kind);
    const hash = createHash('sha256').update(secret).digest();
    await database.query(
      `insert into tokens (user_id, kind, name, secret_sha256, scopes, expires_at, issued_by)
       values ($1, $2, 'test', $3, $4, $5, case $2 when 'ticket' then
         (select max(id) from tokens where user_id = $1 and kind in ('session', 'guest')) end)`,
      [id, kind, hash, scopes, expiresAt ?? (kind === 'session' || kind === 'ticket' ? inAnHour() : null)],
    );
    return secret;
  };
  return {
    id,
    username,
    session: guest ? await mint('guest', { scopes: ['read', 'write'] }) : await mint('session', {}),
    mintToken: (token = {}) => mint('api', token),
    mintTicket: () => mint('ticket', { scopes: ['upload'] }),
  };
}

const inAnHour = (): Date => new Date(Date.now() + 3_600_000);
