import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './audit-log.types';

/**
 * A filter with the account that acted. By the id, PostgreSQL knows whether the account did much or little, and reads
 * the log in its order or by the account.
 */
export interface EntryFilter extends Omit<AuditFilter, 'actor'> {
  readonly actorId?: number | undefined;
}

/** Every query on the tables `audit_log` and `audit_addresses`. */
@Injectable()
export class AuditLogRepository {
  constructor(private readonly database: Database) {}

  async append(
    tx: Transaction,
    { by, action, subject, detail, decisionId }: NewAuditEntry,
    address: string | null,
  ): Promise<void> {
    await tx.query(
      `with entry as (
         insert into audit_log (actor_id, action, subject_type, subject_id, subject_name, detail, decision_id)
         values ($1::bigint, $2, $3, $4, $5, $6, $8) returning id
       )
       insert into audit_addresses (entry_id, actor_id, address)
       select id, $1, $7::inet from entry where $7::inet is not null`,
      [
        by?.userId ?? null,
        action,
        subject.type,
        subject.id,
        subject.name,
        detail === undefined ? null : JSON.stringify(detail),
        address,
        decisionId ?? null,
      ],
    );
  }

  /** The id of the account with this username, ignoring case, also a deleted one; null if there is none. */
  async findActor(username: string): Promise<number | null> {
    const [row] = await this.database.read<{ id: number }>(
      'select id from users where lower(username) = lower($1)',
      [username],
    );
    return row?.id ?? null;
  }

  /** Newest first; `offset` counts from 0. */
  findPage(filter: EntryFilter, limit: number, offset: number): Promise<readonly AuditEntry[]> {
    const { where, values } = conditionsOf(filter);
    const [limitAt, offsetAt] = [values.length + 1, values.length + 2];
    return this.database.read<AuditEntry>(
      `select a.id, u.username as actor, a.action, a.subject_type as "subjectType", a.subject_name as "subjectName",
              case when a.decision_id is null then a.detail else jsonb_strip_nulls(jsonb_build_object(
                'from', d.from_status, 'to', d.to_status, 'note', d.note, 'revision', d.revision, 'until', d.until)) end
                as detail,
              host(p.address) as address, a.created_at as "createdAt"
       from (select * from audit_log l where ${where}
             order by l.created_at desc, l.id desc limit $${limitAt} offset $${offsetAt}) a
       left join users u on u.id = a.actor_id
       left join moderation_decisions d on d.id = a.decision_id
       left join audit_addresses p on p.entry_id = a.id
       order by a.created_at desc, a.id desc`,
      [...values, limit, offset],
      { unprepared: true },
    );
  }

  /** Counts no further than `most`. */
  async count(filter: EntryFilter, most: number): Promise<number> {
    const { where, values } = conditionsOf(filter);
    const [row] = await this.database.read<{ total: number }>(
      `select count(*) as total
       from (select from audit_log l where ${where} limit $${values.length + 1}) counted`,
      [...values, most],
      { unprepared: true },
    );
    return row?.total ?? 0;
  }

  async removeAddressesOf(userId: number, batch: number): Promise<number> {
    const rows = await this.database.transaction((tx) =>
      tx.query<{ entry_id: number }>(
        `delete from audit_addresses where entry_id in (
           select entry_id from audit_addresses where actor_id = $1 limit $2)
         returning entry_id`,
        [userId, batch],
      ),
    );
    return rows.length;
  }
}

/**
 * The conditions for the given fields only: each combination is a separate statement, for which PostgreSQL chooses an
 * index.
 */
function conditionsOf({ actorId, operator, action, subject, from, to }: EntryFilter) {
  const values: unknown[] = [];
  const bound = (value: unknown): string => `$${values.push(value)}`;
  const conditions = [
    actorId !== undefined && `l.actor_id = ${bound(actorId)}`,
    operator === true && 'l.actor_id is null',
    action !== undefined && `l.action = ${bound(action)}`,
    subject !== undefined && `lower(l.subject_name) = lower(${bound(subject)})`,
    from !== undefined && `l.created_at >= ${bound(from)}::timestamptz`,
    to !== undefined && `l.created_at < ${bound(to)}::timestamptz`,
  ].filter((condition) => condition !== false);
  return { where: conditions.join(' and ') || 'true', values };
}
