import { randomBytes } from 'node:crypto';
import type { DomainContext } from '@vitrine/testing';
import type { Caller } from '../src/base/access/caller';

/** Adds an account, and returns it as a logged-in caller. */
export async function insertCaller(
  dataSource: DomainContext['dataSource'],
  role: Caller['role'] = 'user',
  username = `User_${randomBytes(5).toString('hex')}`,
): Promise<Caller> {
  const insert = 'insert into users (username, role) values ($1, $2) returning id';
  const [{ id: userId }] = await dataSource.query(insert, [username, role]);
  const session = { isGuest: false, tokenId: 1, kind: 'session', scopes: ['read', 'write'] } as const;
  return { userId, username, role, ...session };
}
