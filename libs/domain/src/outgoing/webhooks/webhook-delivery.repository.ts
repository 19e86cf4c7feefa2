import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';
import { OLDEST_DUE, RECEIVES, WAITING } from './due-deliveries-sql';
import type { ClaimedDelivery, DeliveredEvent, SendResult, WebhookDelivery } from './webhook.types';

const COLUMNS = `id, webhook_id as "webhookId", event_id as "eventId", event, occurred_at as "occurredAt", data, status,
  attempts, last_attempt_at as "lastAttemptAt", next_attempt_at as "nextAttemptAt", took_ms as "tookMs",
  response_status as "responseStatus", response_body as "responseBody", error, created_at as "createdAt"`;

/** How many deliveries may be taken now, in total and of one webhook or account. */
export interface ClaimLimits {
  readonly total: number;
  /** The limit for all webhooks together whose last attempt failed. */
  readonly failing: number;
  /** The limit for one webhook whose last attempt did not fail; for others it is 1. */
  readonly perWebhook: number;
  readonly perAccount: number;
  /** Of all webhooks that lead to one host, of all accounts together. */
  readonly perHost: number;
  /** How many attempts of each webhook, account and host are in progress here. */
  readonly busyWebhooks: Readonly<Record<string, number>>;
  readonly busyAccounts: Readonly<Record<string, number>>;
  readonly busyHosts: Readonly<Record<string, number>>;
  /** No other process takes them for this many seconds. */
  readonly leaseSeconds: number;
}

/**
 * The host of a webhook's address, with its port unless that is the default one. Addresses are stored in normal form and
 * have no user (`readDestination`), but a name may end in a dot.
 */
const HOST = String.raw`regexp_replace(substring(w.url from '^[^:]*://([^/?#]*)'), '\.(:\d+)?$', '\1')`;

/** Accounts take turns, also within the share of one host. */
const CLAIM = `
${WAITING},
due as (
  select d.id, d.next_attempt_at, w.user_id, ${HOST} as host, w.failing_since is not null as failing
  from waiting
  join webhooks w on w.id = waiting.webhook_id and ${RECEIVES}
  cross join lateral (
    select id, next_attempt_at from webhook_deliveries
    where webhook_id = w.id and status = 'pending' and next_attempt_at <= now()
    order by next_attempt_at
    limit greatest(0, case when w.failing_since is null then $1::int else 1 end
                      - coalesce(($2::jsonb ->> w.id::text)::int, 0))
  ) as d
),
ranked as (
  select id, next_attempt_at, host, failing,
         row_number() over (partition by user_id order by failing, next_attempt_at, id)
           + coalesce(($3::jsonb ->> user_id::text)::int, 0) as turn,
         row_number() over (partition by failing order by next_attempt_at, id) as place
  from due
),
hosted as (
  select *, row_number() over (partition by host order by turn, next_attempt_at, id)
              + coalesce(($8::jsonb ->> host)::int, 0) as host_turn
  from ranked
),
chosen as (
  select id from hosted
  where turn <= $4::int and host_turn <= $9::int and (not failing or place <= $5::int)
  order by turn, next_attempt_at limit $6::int
),
locked as (
  select d.id from webhook_deliveries d join chosen using (id)
  where d.status = 'pending' and d.next_attempt_at <= now()
  for update of d skip locked
),
claimed as (
  update webhook_deliveries d
  set attempts = d.attempts + 1, last_attempt_at = now(), next_attempt_at = now() + make_interval(secs => $7)
  from locked where d.id = locked.id
  returning d.id, d.webhook_id, d.event_id, d.event, d.occurred_at, d.data, d.attempts
)
select c.id, c.webhook_id as "webhookId", c.event_id as "eventId", c.event, c.occurred_at as "occurredAt", c.data,
       c.attempts as attempt, w.user_id as "userId", ${HOST} as host, w.failing_since is not null as "wasFailing", w.url,
       case when w.previous_secret_until > now() then array[w.secret, w.previous_secret] else array[w.secret] end as secrets
from claimed c join webhooks w on w.id = c.webhook_id`;

/** Every query on the table `webhook_deliveries`; `add_webhook_deliveries` adds its rows. */
@Injectable()
export class WebhookDeliveryRepository {
  constructor(private readonly database: Database) {}

  /** Takes due deliveries for an attempt; other processes take different ones. */
  claim(tx: Transaction, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
    return tx.query<ClaimedDelivery>(CLAIM, [
      limits.perWebhook,
      JSON.stringify(limits.busyWebhooks),
      JSON.stringify(limits.busyAccounts),
      limits.perAccount,
      limits.failing,
      limits.total,
      limits.leaseSeconds,
      JSON.stringify(limits.busyHosts),
      limits.perHost,
    ]);
  }

  /**
   * Records an attempt: the delivery is delivered, due again after `waitSeconds`, or failed if that is null. Does nothing
   * if the delivery is no longer on this attempt.
   */
  async record(
    tx: Transaction,
    { id, attempt }: Pick<ClaimedDelivery, 'id' | 'attempt'>,
    result: SendResult,
    waitSeconds: number | null,
  ): Promise<void> {
    await tx.query(
      `update webhook_deliveries
       set status = $3::text, response_status = $4, response_body = $5, error = $6, took_ms = $7,
           next_attempt_at = case when $3::text = 'pending' then now() + make_interval(secs => $8) end
       where id = $1 and attempts = $2 and status = 'pending'`,
      [
        id,
        attempt,
        result.error === null ? 'delivered' : waitSeconds === null ? 'failed' : 'pending',
        result.status,
        result.body,
        result.error,
        result.tookMs,
        waitSeconds ?? 0,
      ],
    );
  }

  /** Takes back an attempt that was interrupted by the end of this process. */
  async release(tx: Transaction, { id, attempt }: Pick<ClaimedDelivery, 'id' | 'attempt'>): Promise<void> {
    await tx.query(
      `update webhook_deliveries set attempts = attempts - 1, next_attempt_at = now()
       where id = $1 and attempts = $2 and status = 'pending'`,
      [id, attempt],
    );
  }

  /** Gives up the pending deliveries of a webhook. */
  async giveUp(tx: Transaction, webhookId: number, error: string): Promise<void> {
    await tx.query(
      `update webhook_deliveries set status = 'failed', next_attempt_at = null, error = coalesce(error, $2)
       where webhook_id = $1 and status = 'pending'`,
      [webhookId, error],
    );
  }

  /** Adds a delivery that no event caused. */
  async insert(tx: Transaction, webhookId: number, event: DeliveredEvent): Promise<WebhookDelivery> {
    const rows = await tx.query<WebhookDelivery>(
      `insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data) values ($1, $2, $3, $4, $5)
       returning ${COLUMNS}`,
      [webhookId, event.eventId, event.event, event.occurredAt, JSON.stringify(event.data)],
    );
    return rows[0] as WebhookDelivery;
  }

  /** Makes a delivery due now, with all its attempts; null if the webhook has no such delivery. */
  async restart(tx: Transaction, webhookId: number, id: number): Promise<WebhookDelivery | null> {
    const rows = await tx.query<WebhookDelivery>(
      `with restarted as (
         update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = now()
         where id = $2 and webhook_id = $1 returning *
       )
       select ${COLUMNS} from restarted`,
      [webhookId, id],
    );
    return rows[0] ?? null;
  }

  /** A page of a webhook's deliveries, newest first. */
  findPage(webhookId: number, limit: number, offset: number): Promise<WebhookDelivery[]> {
    return this.database.read<WebhookDelivery & object>(
      `select ${COLUMNS} from webhook_deliveries where webhook_id = $1 order by id desc limit $2 offset $3`,
      [webhookId, limit, offset],
    );
  }

  async find(webhookId: number, id: number): Promise<WebhookDelivery | null> {
    const rows = await this.database.read<WebhookDelivery & object>(
      `select ${COLUMNS} from webhook_deliveries where id = $2 and webhook_id = $1`,
      [webhookId, id],
    );
    return rows[0] ?? null;
  }

  async count(webhookId: number): Promise<number> {
    const rows = await this.database.read<{ count: number }>(
      'select count(*)::int as count from webhook_deliveries where webhook_id = $1',
      [webhookId],
    );
    return rows[0]?.count ?? 0;
  }

  /** For how many seconds the oldest delivery that may be sent now has been due; 0 if none is due. */
  async findOldestDue(): Promise<number> {
    const rows = await this.database.read<{ age: number | null }>(
      `select extract(epoch from now() - (${OLDEST_DUE}))::float8 as age`,
    );
    return rows[0]?.age ?? 0;
  }

  /** Removes finished deliveries older than `days`, and those of a webhook beyond its newest `most`. */
  async removeOld(tx: Transaction, days: number, most: number): Promise<number> {
    const rows = await tx.query<{ count: number }>(
      `with removed as (
         delete from webhook_deliveries d
         where d.status <> 'pending' and (
           d.created_at < now() - make_interval(days => $1)
           or d.id <= (select id from webhook_deliveries k where k.webhook_id = d.webhook_id order by id desc offset $2 limit 1)
         )
         returning 1
       )
       select count(*)::int as count from removed`,
      [days, most],
    );
    return rows[0]?.count ?? 0;
  }
}
