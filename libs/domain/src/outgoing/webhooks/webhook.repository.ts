import { Injectable } from '@nestjs/common';
import type { WebhookDisabledReason } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import type { Webhook, WebhookEditor, WebhookFields } from './webhook.types';

/** "hook" in ASCII: first half of the advisory locks for counting a user's webhooks. */
const LOCKS = 0x686f6f6b;

const COLUMNS = `id, user_id as "userId", url, description, events, disabled_reason as "disabledReason",
  disabled_at as "disabledAt", failing_since as "failingSince", created_at as "createdAt"`;

/**
 * Every query on the table `webhooks`. No query locks a row more strongly than an update does: a stronger lock would
 * hold up the transactions that add deliveries.
 */
@Injectable()
export class WebhookRepository {
  constructor(private readonly database: Database) {}

  /** The webhooks of a user, oldest first. */
  findAll(userId: number): Promise<Webhook[]> {
    return this.database.read<Webhook & object>(
      `select ${COLUMNS} from webhooks where user_id = $1 order by id`,
      [userId],
    );
  }

  async find(userId: number, id: number): Promise<Webhook | null> {
    const rows = await this.database.read<Webhook & object>(
      `select ${COLUMNS} from webhooks where id = $1 and user_id = $2`,
      [id, userId],
    );
    return rows[0] ?? null;
  }

  /** Makes the creations of a user's webhooks wait for each other until `tx` ends. */
  async lockCount(tx: Transaction, userId: number): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCKS, String(userId)]);
  }

  async count(tx: Transaction, userId: number): Promise<number> {
    const rows = await tx.query<{ count: number }>(
      'select count(*)::int as count from webhooks where user_id = $1',
      [userId],
    );
    return rows[0]?.count ?? 0;
  }

  async insert(
    tx: Transaction,
    { userId, tokenId }: WebhookEditor,
    fields: WebhookFields,
    secret: Buffer,
  ): Promise<Webhook> {
    const rows = await tx.query<Webhook>(
      `insert into webhooks (user_id, token_id, url, description, events, secret) values ($1, $2, $3, $4, $5, $6)
       returning ${COLUMNS}`,
      [userId, tokenId, fields.url, fields.description, fields.events, secret],
    );
    return rows[0] as Webhook;
  }

  /** Locks a webhook of a user; null if there is none. */
  async lock(tx: Transaction, userId: number, id: number): Promise<Webhook | null> {
    const rows = await tx.query<Webhook>(
      `select ${COLUMNS} from webhooks where id = $1 and user_id = $2 for no key update`,
      [id, userId],
    );
    return rows[0] ?? null;
  }

  async update(tx: Transaction, id: number, fields: WebhookFields): Promise<void> {
    await tx.query('update webhooks set url = $2, description = $3, events = $4 where id = $1', [
      id,
      fields.url,
      fields.description,
      fields.events,
    ]);
  }

  /** Records the API token whose end disables a webhook; null if there is none. */
  async setToken(tx: Transaction, id: number, tokenId: number | null): Promise<void> {
    await tx.query('update webhooks set token_id = $2 where id = $1', [id, tokenId]);
  }

  /** Replaces the secret. The old one stays valid for `seconds`. */
  async replaceSecret(tx: Transaction, id: number, secret: Buffer, seconds: number): Promise<void> {
    await tx.query(
      `update webhooks set previous_secret = secret, previous_secret_until = now() + make_interval(secs => $3),
              secret = $2
       where id = $1`,
      [id, secret, seconds],
    );
  }

  async enable(tx: Transaction, id: number): Promise<void> {
    await tx.query(
      'update webhooks set disabled_reason = null, disabled_at = null, failing_since = null where id = $1',
      [id],
    );
  }

  /** Disables a webhook; returns false if it was disabled already. */
  disable(tx: Transaction, id: number, reason: WebhookDisabledReason): Promise<boolean> {
    return tx.affects(
      `update webhooks set disabled_reason = $2, disabled_at = now()
       where id = $1 and disabled_reason is null`,
      [id, reason],
    );
  }

  /** Disables the enabled webhooks of a user; returns their ids. */
  async disableAll(
    tx: Transaction,
    userId: number,
    reason: WebhookDisabledReason,
  ): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `update webhooks set disabled_reason = $2, disabled_at = now()
       where user_id = $1 and disabled_reason is null returning id`,
      [userId, reason],
    );
    return rows.map(({ id }) => id);
  }

  /** Disables the webhooks whose API tokens have expired; returns those that were enabled. A trigger does it for removed tokens. */
  disableOfExpiredTokens(tx: Transaction): Promise<Webhook[]> {
    return tx.query<Webhook>(
      `with expired as (
         update webhooks w set token_id = null, disabled_reason = coalesce(disabled_reason, 'token_ended'),
           disabled_at = coalesce(disabled_at, now())
         from tokens t where t.id = w.token_id and t.expires_at <= now() returning w.*
       )
       select ${COLUMNS} from expired where disabled_reason = 'token_ended'`,
    );
  }

  /** Records a successful attempt. */
  async noteSuccess(tx: Transaction, id: number): Promise<void> {
    await tx.query('update webhooks set failing_since = null where id = $1 and failing_since is not null', [
      id,
    ]);
  }

  /** Records a failed attempt; returns for how many seconds every attempt has failed. */
  async noteFailure(tx: Transaction, id: number): Promise<number> {
    const rows = await tx.query<{ seconds: number }>(
      `update webhooks set failing_since = coalesce(failing_since, now()) where id = $1
       returning extract(epoch from now() - failing_since)::float8 as seconds`,
      [id],
    );
    return rows[0]?.seconds ?? 0;
  }

  /** Removes a webhook of a user and its deliveries; returns false if there is none. */
  remove(tx: Transaction, userId: number, id: number): Promise<boolean> {
    return tx.affects(`delete from webhooks where id = $1 and user_id = $2`, [id, userId]);
  }

  /** Removes all webhooks of a user and their deliveries. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from webhooks where user_id = $1', [userId]);
  }
}
