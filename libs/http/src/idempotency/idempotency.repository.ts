import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** One attempt to carry out a request. */
export interface Claim {
  readonly id: Buffer;
  /** A UUID that distinguishes the attempt from later ones with the same key. */
  readonly claim: string;
}

/** A key that is in use. */
export interface KnownKey {
  readonly fingerprint: Buffer;
  /** Null until the request is answered. */
  readonly answer: Buffer | null;
  readonly carriedOut: boolean;
  /** The attempt has not renewed its lease in time. */
  readonly lapsed: boolean;
}

/** Every query on the table `idempotency_keys`. Only the database's clock is used. */
@Injectable()
export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes a key that is free, has expired, or was left by an attempt that died without carrying anything out. False if the
   * key is in use. Of several simultaneous attempts the primary key lets one win.
   */
  async take({ id, claim }: Claim, fingerprint: Buffer, leaseSeconds: number): Promise<boolean> {
    const rows: unknown[] = await this.database.write(
      `insert into idempotency_keys as known (id, fingerprint, claim, lease_until, expires_at)
       values ($1, $2, $3, now() + make_interval(secs => $4), now() + interval '24 hours')
       on conflict (id) do update
       set fingerprint = excluded.fingerprint, claim = excluded.claim, lease_until = excluded.lease_until,
           expires_at = excluded.expires_at, carried_out = false, answer = null
       where known.expires_at <= now()
          or (known.answer is null and not known.carried_out and known.lease_until <= now())
       returning 1`,
      [id, fingerprint, claim, leaseSeconds],
    );
    return rows.length > 0;
  }

  async find(id: Buffer): Promise<KnownKey | null> {
    const rows: KnownKey[] = await this.database.query(
      `select fingerprint, answer, carried_out as "carriedOut", lease_until <= now() as lapsed
       from idempotency_keys where id = $1 and expires_at > now()`,
      [id],
    );
    return rows[0] ?? null;
  }

  /** Records that this transaction carries the request out; false if the claim is no longer valid. */
  markCarriedOut(tx: Transaction, { id, claim }: Claim): Promise<boolean> {
    return tx.affects(
      `update idempotency_keys set carried_out = true where id = $1 and claim = $2`,
      [id, claim],
      { prepared: true },
    );
  }

  /**
   * Extends the leases of running attempts. A transaction that carries several requests out locks several rows, in another
   * order: they are left to the next renewal.
   */
  async renew(claims: readonly Claim[], leaseSeconds: number): Promise<void> {
    await this.database.write(
      `with running as (
         select known.id
         from idempotency_keys as known
         join unnest($1::bytea[], $2::uuid[]) as live (id, claim) using (id, claim)
         where known.answer is null for update of known skip locked
       )
       update idempotency_keys as known set lease_until = now() + make_interval(secs => $3)
       from running where known.id = running.id`,
      [claims.map(({ id }) => id), claims.map(({ claim }) => claim), leaseSeconds],
    );
  }

  async keepAnswer({ id, claim }: Claim, answer: Buffer): Promise<void> {
    await this.database.write(
      'update idempotency_keys set answer = $3 where id = $1 and claim = $2 and answer is null',
      [id, claim, answer],
    );
  }

  /** Ends an attempt without an answer. Its key is free again, unless the request was carried out nevertheless. */
  async release({ id, claim }: Claim): Promise<void> {
    await this.database.write(
      `with freed as (
         delete from idempotency_keys where id = $1 and claim = $2 and not carried_out returning 1
       )
       update idempotency_keys set lease_until = now() where id = $1 and claim = $2 and carried_out`,
      [id, claim],
    );
  }

  /** Deletes up to `limit` expired keys and returns their number. Several processes may do so at the same time. */
  async removeExpired(limit: number): Promise<number> {
    const rows: { removed: number }[] = await this.database.write(
      `with gone as (
         delete from idempotency_keys where id in (
           select id from idempotency_keys where expires_at <= now()
           order by expires_at limit $1 for update skip locked
         ) returning 1
       ) select count(*)::integer as removed from gone`,
      [limit],
    );
    return rows[0]?.removed ?? 0;
  }
}
