import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Client } from 'pg';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SCOPES = ['read', 'upload', 'write'] as const;

export interface NewToken {
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
}

/** An account that was put into the database, which is faster than registering it. */
export interface Person {
  readonly id: number;
  readonly username: string;
  /** Secret of a session. */
  readonly session: string;
  /** Makes an API token, of every scope where none is said, and gives its secret. */
  mintToken(token?: NewToken): Promise<string>;
}

export interface NewPerson {
  readonly role?: 'user' | 'moderator' | 'admin';
  /** An account that has the same password. */
  readonly passwordOf?: string;
}

export async function createPerson(
  database: Client,
  { role = 'user', passwordOf }: NewPerson = {},
): Promise<Person> {
  const username = `user_${randomBytes(6).toString('hex')}`;
  const { rows } = await database.query<{ id: string }>(
    `insert into users (username, role, password_hash)
     values ($1, $2, (select password_hash from users where username = $3)) returning id`,
    [username, role, passwordOf ?? null],
  );
  const id = Number(rows[0]?.id);
  const mint = async (kind: 'api' | 'session', { scopes = SCOPES, expiresAt }: NewToken): Promise<string> => {
    const secret = (kind === 'api' ? 'vtr_' : 'vts_') + randomSecret();
    const hash = createHash('sha256').update(secret).digest();
    await database.query(
      `insert into tokens (user_id, kind, name, secret_sha256, scopes, expires_at)
       values ($1, $2, 'test', $3, $4, $5)`,
      [id, kind, hash, scopes, expiresAt ?? (kind === 'session' ? new Date(Date.now() + 3_600_000) : null)],
    );
    return secret;
  };
  return { id, username, session: await mint('session', {}), mintToken: (token = {}) => mint('api', token) };
}

/** 34 random characters and their CRC-32 in base62, padded to 6. */
function randomSecret(): string {
  const random = Array.from(randomBytes(34), (byte) => BASE62[byte % 62]).join('');
  let sum = '';
  for (let rest = crc32(random); sum.length < 6; rest = Math.floor(rest / 62)) sum = BASE62[rest % 62] + sum;
  return random + sum;
}
