import { Injectable } from '@nestjs/common';
import type { AccountState, Role } from '@vitrine/contracts';
import { Database } from '@vitrine/database';
import { isActiveMemberSql } from '../../base/queries/member-sql';
import { restrictionOf } from '../../base/queries/restriction-sql';
import { startingWith } from '../../base/queries/like-pattern';

/** Which accounts to read. Omitted fields don't filter. */
export interface PeopleFilter {
  /** The beginning of the username, or of the email address if it contains `@`, ignoring case. */
  readonly q?: string | undefined;
  readonly state?: AccountState | undefined;
  readonly role?: Role | undefined;
}

/** An account as admins see it. */
export interface Person {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly role: Role;
  readonly state: AccountState;
  /** Whether it waits for the decision on its application. */
  readonly applied: boolean;
  readonly createdAt: Date;
}

/** What an account has, besides posts and media. */
export interface Belongings {
  readonly followerCount: number;
  readonly sessionCount: number;
  readonly tokenCount: number;
  readonly hasSecondFactor: boolean;
  readonly lastUsedAt: Date | null;
}

const PERSON = `
  u.id, u.username, u.email, u.role, u.created_at as "createdAt",
  coalesce(${restrictionOf('u.id')}, 'active') as state,
  exists (select from applications a where a.user_id = u.id) as applied`;

/** The queries with which admins look for accounts. */
@Injectable()
export class PeopleRepository {
  constructor(private readonly database: Database) {}

  /** Newest first; `offset` counts from 0. */
  findPage(filter: PeopleFilter, limit: number, offset: number): Promise<readonly Person[]> {
    const { where, values } = conditionsOf(filter);
    const [limitAt, offsetAt] = [values.length + 1, values.length + 2];
    return this.database.read<Person>(
      `select ${PERSON} from users u where ${where}
       order by u.id desc limit $${limitAt} offset $${offsetAt}`,
      [...values, limit, offset],
      { unprepared: true },
    );
  }

  /** Counts no further than `most`. */
  async count(filter: PeopleFilter, most: number): Promise<number> {
    const { where, values } = conditionsOf(filter);
    const [row] = await this.database.read<{ total: number }>(
      `select count(*) as total from (select from users u where ${where} limit $${values.length + 1}) counted`,
      [...values, most],
      { unprepared: true },
    );
    return row?.total ?? 0;
  }

  async find(id: number): Promise<(Person & Belongings) | null> {
    const [row] = await this.database.read<Person & Belongings>(
      `select ${PERSON}, u.follower_count as "followerCount", t.sessions as "sessionCount", t.api as "tokenCount",
              t.used as "lastUsedAt",
              exists (select from authenticator_apps a where a.user_id = u.id and a.confirmed_at is not null)
                or exists (select from passkeys p where p.user_id = u.id) as "hasSecondFactor"
       from users u
       cross join lateral (
         select count(*) filter (where kind = 'session' and expires_at > now()) as sessions,
                count(*) filter (where kind = 'api') as api,
                max(last_used_at) as used
         from tokens where user_id = u.id
       ) t
       where u.id = $1 and ${isActiveMemberSql('u')}`,
      [id],
    );
    return row ?? null;
  }
}

/**
 * The conditions for the given fields only: each combination is a separate statement, for which PostgreSQL chooses an
 * index.
 */
function conditionsOf({ q, state, role }: PeopleFilter) {
  const values: unknown[] = [];
  const bound = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    isActiveMemberSql('u'),
    ...(q === undefined || q === ''
      ? []
      : [`lower(u.${q.includes('@') ? 'email' : 'username'}) like lower(${bound(startingWith(q))})`]),
    ...(role === undefined ? [] : [`u.role = ${bound(role)}`]),
    ...(state === undefined ? [] : [stateCondition(state, bound)]),
  ];
  return { where: conditions.join(' and '), values };
}

function stateCondition(state: AccountState, bound: (value: unknown) => string): string {
  if (state === 'active') return `${restrictionOf('u.id')} is null`;
  return `u.id in (select r.user_id from account_restrictions r
                   where r.state = ${bound(state)} and (r.until is null or r.until > now()))`;
}
