import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import type { ClaimedMail, LinkPurpose, MailKind, NewMail } from './mail.types';

/** The largest numbers of mails of one kind in the last `hours`. */
export interface MailLimit {
  readonly hours: number;
  /** To one address, and of one account. */
  readonly mails: number;
  /** Of one account to one address: less than `mails`, so that no account uses up the mails of an address. */
  readonly mailsOfPair: number;
}

/** Every query on the table `mails`. */
@Injectable()
export class MailRepository {
  constructor(private readonly database: Database) {}

  async insert(
    tx: Transaction,
    { userId, username, address, content }: NewMail,
    minutes: number,
  ): Promise<void> {
    const [notice, isLimited] = content.kind === 'notice' ? [content.text, content.isLimited] : [null, false];
    await tx.query(
      `insert into mails (user_id, username, kind, address, notice, limited, send_until)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))`,
      [userId, username, content.kind, address, notice, isLimited, minutes],
    );
  }

  /**
   * Whether another mail of this kind is within the limits of its address and of its account; of notices, only limited ones
   * count. Others who ask for the same address wait for the end of the transaction.
   */
  async isWithinLimits(
    tx: Transaction,
    { userId, address, kind }: { userId: number; address: string; kind: MailKind },
    limits: readonly MailLimit[],
  ): Promise<boolean> {
    await tx.query('select pg_advisory_xact_lock(hashtextextended(lower($1), 36))', [address]);
    for (const { hours, mails, mailsOfPair } of limits) {
      const rows = await tx.query<{ over: boolean }>(
        `select count(*) filter (where lower(address) = lower($2)) >= $5
                or count(*) filter (where user_id = $1) >= $5
                or count(*) filter (where user_id = $1 and lower(address) = lower($2)) >= $6 as over
         from mails
         where (lower(address) = lower($2) or user_id = $1) and kind = $3 and (limited or kind <> 'notice')
           and created_at > now() - make_interval(hours => $4)`,
        [userId, address, kind, hours, mails, mailsOfPair],
      );
      if (rows[0]?.over) return false;
    }
    return true;
  }

  /**
   * Takes due mails for an attempt; other processes take different ones. A mail whose hand-over began, and whose result
   * was not recorded, is never taken again.
   */
  async claim(tx: Transaction, limit: number, leaseSeconds: number): Promise<ClaimedMail[]> {
    return tx.query<ClaimedMail>(
      `with due as (
         select id from mails
         where status = 'pending' and next_attempt_at <= now() and handed_over_at is null and send_until > now()
         order by next_attempt_at limit $1 for update skip locked
       ),
       claimed as (
         update mails m
         set attempts = m.attempts + 1, last_attempt_at = now(), next_attempt_at = now() + make_interval(secs => $2)
         from due where m.id = due.id returning m.*
       )
       select id, message_id as "messageId", user_id as "userId", username, kind, address, notice,
              attempts as attempt, created_at as "createdAt"
       from claimed`,
      [limit, leaseSeconds],
    );
  }

  /** Finishes mails whose result was lost with their process, and those that would come too late. */
  async giveUpLost(tx: Transaction): Promise<{ unknown: number; late: number }> {
    const rows = await tx.query<{ status: string }>(
      `with lost as (
         select id from mails
         where status = 'pending' and next_attempt_at <= now() and (handed_over_at is not null or send_until <= now())
         limit 1000 for update skip locked
       ),
       finished as (
         update mails m
         set status = case when handed_over_at is null then 'failed' else 'unknown' end, next_attempt_at = null, notice = null,
             error = case when handed_over_at is null then coalesce(error, 'It was too late to send it.')
                     else 'The process ended before it recorded the answer of the server.' end
         from lost where m.id = lost.id returning m.status
       )
       select status from finished`,
    );
    const unknown = rows.filter(({ status }) => status === 'unknown').length;
    return { unknown, late: rows.length - unknown };
  }

  /** Locks a mail that is still on this attempt. Returns false if it is not, so that it must not be sent. */
  hold(tx: Transaction, { id, attempt }: Pick<ClaimedMail, 'id' | 'attempt'>): Promise<boolean> {
    return tx.affects(
      `select id from mails where id = $1 and attempts = $2 and status = 'pending' and handed_over_at is null for update`,
      [id, attempt],
    );
  }

  /** Records that the server may accept the mail from now on. Call `hold` first. */
  async markHandedOver(tx: Transaction, id: number): Promise<void> {
    await tx.query('update mails set handed_over_at = now() where id = $1', [id]);
  }

  async finish(
    tx: Transaction,
    { id, attempt }: Pick<ClaimedMail, 'id' | 'attempt'>,
    status: 'sent' | 'failed' | 'unknown',
    error: string | null,
  ): Promise<void> {
    await tx.query(
      `update mails set status = $3, error = $4, next_attempt_at = null, notice = null
       where id = $1 and attempts = $2 and status = 'pending'`,
      [id, attempt, status, error],
    );
  }

  /** Makes a mail due again after `waitSeconds`. */
  async postpone(
    tx: Transaction,
    { id, attempt }: Pick<ClaimedMail, 'id' | 'attempt'>,
    error: string,
    waitSeconds: number,
  ): Promise<void> {
    await tx.query(
      `update mails
       set error = $3, handed_over_at = null, next_attempt_at = now() + make_interval(secs => $4)
       where id = $1 and attempts = $2 and status = 'pending'`,
      [id, attempt, error, waitSeconds],
    );
  }

  /** Removes the waiting mails of an account with these links, because the links must not be made any more. */
  async removeWaiting(tx: Transaction, userId: number, kinds: readonly LinkPurpose[]): Promise<void> {
    await tx.query(
      `delete from mails
       where user_id = $1 and status = 'pending' and handed_over_at is null and kind = any($2)`,
      [userId, kinds],
    );
  }

  /**
   * Removes the mails of a deleted account. Links that were sent in the last day stay for the limits of their address,
   * without the account; `removeOld` removes them.
   */
  async removeOf(tx: Transaction, userId: number): Promise<void> {
    await tx.query(
      `update mails set user_id = null, username = ''
       where user_id = $1 and handed_over_at is not null and kind <> 'notice' and created_at > now() - interval '1 day'`,
      [userId],
    );
    await tx.query('delete from mails where user_id = $1', [userId]);
  }

  /** Age in seconds of the mail that has been due for longest; 0 if none is due. */
  async findOldestDue(): Promise<number> {
    const [row] = await this.database.read<{ age: number | null }>(
      `select extract(epoch from now() - min(next_attempt_at))::float8 as age
       from mails where status = 'pending' and next_attempt_at <= now()`,
      [],
    );
    return row?.age ?? 0;
  }

  /** Removes mails that are finished: sent ones after `sentDays`, the others after `failedDays`. */
  async removeOld(tx: Transaction, sentDays: number, failedDays: number): Promise<number> {
    const rows = await tx.query(
      `delete from mails
       where status <> 'pending'
         and created_at < now() - make_interval(days => case status when 'sent' then $1::int else $2::int end)
       returning id`,
      [sentDays, failedDays],
    );
    return rows.length;
  }
}
