import { Injectable } from '@nestjs/common';
import type { VariantName } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { isSuspended } from '../../base/queries/restriction-sql';
import type { UnusedMedia } from './variant-retention.rules';

/** Days without a running process that records uses, after which the recording begins again. */
const BREAK_DAYS = 2;
/**
 * Seconds after which work may be started again, because a process was killed or a message was lost; and until a variant that
 * could not be made is tried again.
 */
const LEASE_SECONDS = { removal: 60, make: 30, failed: 600 } as const;
const LEASE = `interval '1 second' * case w.work when 'removal' then ${LEASE_SECONDS.removal}
  when 'make' then ${LEASE_SECONDS.make} else ${LEASE_SECONDS.failed} end`;

/** Whether the lease of work `w` has not ended. */
const IN_FORCE = `w.since > now() - ${LEASE}`;
const SERVED = `m.processed and m.moderation_status <> 'rejected' and m.processing_error is null
  and not ${isSuspended('m.user_id')}`;
const TODAY = `(now() at time zone 'utc')::date`;

/** The list of records that those with the key of work `w`, and these fields, contain. */
const ofKey = (...fields: readonly string[]): string =>
  `jsonb_build_array(jsonb_build_object(${["'key', w.key", ...fields].join(', ')}))`;

/** A use of a variant. */
export interface VariantUse {
  readonly slug: string;
  readonly name: VariantName;
}

/** What happened to a request to make a removed variant again. */
export interface MakeAttempt {
  /** The media item; null if it isn't served or the variant isn't removed. */
  readonly mediaId: number | null;
  /** Whether the caller must request the work. */
  readonly taken: boolean;
  /** Work on the variant that had begun before; null if there is none. */
  readonly inProgress: 'removal' | 'make' | 'failed' | null;
  /** Variants that are being made, of all media. */
  readonly open: number;
}

/** Every query on the tables `variant_uses`, `variant_work` and `variant_retention`. */
@Injectable()
export class VariantRetentionRepository {
  constructor(private readonly database: Database) {}

  /** Records uses of today; those of unknown media are ignored. */
  async recordUses(uses: readonly VariantUse[]): Promise<void> {
    await this.database.write(
      `insert into variant_uses (media_id, name, used_on)
       select m.id, used.name, ${TODAY} from unnest($1::text[], $2::text[]) as used (slug, name) join media m using (slug)
       order by m.id, used.name
       on conflict (media_id, name) do update set used_on = excluded.used_on
       where variant_uses.used_on < excluded.used_on`,
      [uses.map(({ slug }) => slug), uses.map(({ name }) => name)],
    );
  }

  /** Says that uses are being recorded; returns since when they have been, without a break. */
  async keepRecording(): Promise<Date> {
    const [row]: { since: Date }[] = await this.database.write(
      `insert into variant_retention as kept (since, seen_at) values (now(), now())
       on conflict (singleton) do update set seen_at = now(),
         since = case when kept.seen_at < now() - $1 * interval '1 day' then now() else kept.since end
       returning since`,
      [BREAK_DAYS],
    );
    return row!.since;
  }

  /**
   * Locks media of which at least one stored variant may be unused since `cutoff`: processed and decided ones, that are not
   * being processed again.
   */
  lockUnused(
    tx: Transaction,
    cutoff: Date,
    limit: number,
  ): Promise<(UnusedMedia & { readonly id: number })[]> {
    return tx.query(
      `select m.id, m.slug, m.kind, m.format, m.ext, m.width, m.height, m.frames, m.variants, m.alternatives,
              coalesce(m.variants_used_at, m.processed_at) as "usedAt",
              (select coalesce(jsonb_object_agg(u.name, u.used_on), '{}') from variant_uses u where u.media_id = m.id) as uses
       from media m
       where m.processed and m.decided_at is not null and coalesce(m.variants_used_at, m.processed_at) < $1
         and not exists (select from processing_turns turn where turn.media_id = m.id)
         and not exists (select from variant_work w where w.media_id = m.id and ${IN_FORCE})
       order by coalesce(m.variants_used_at, m.processed_at) limit $2 for no key update of m skip locked`,
      [cutoff, limit],
    );
  }

  /** Of these locked media, those whose alternatives are being made; their variants must stay. */
  async findRequested(tx: Transaction, mediaIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await tx.query<{ id: number }>(
      'select media_id as id from alternative_work where media_id = any($1::bigint[]) and requested_at is not null',
      [mediaIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Records that objects of locked media must be deleted, to which no row refers any longer. */
  async recordStale(
    tx: Transaction,
    objects: readonly { readonly id: number; readonly key: string }[],
  ): Promise<void> {
    if (objects.length === 0) return;
    await tx.query(
      `insert into variant_work (media_id, key, work)
       select media_id, key, 'removal' from unnest($1::bigint[], $2::text[]) as given (media_id, key)
       on conflict (key) do update set work = 'removal', since = now()`,
      [objects.map(({ id }) => id), objects.map(({ key }) => key)],
    );
  }

  /**
   * Takes over removals that a killed process has left; returns the keys of their objects, at most `limit`. Media that were
   * processed again meanwhile keep theirs.
   */
  async takeOverRemovals(limit: number): Promise<readonly string[]> {
    await this.database.write(
      `delete from variant_work w using media m where w.work = 'removal' and not (${IN_FORCE}) and m.id = w.media_id
         and (m.alternatives @> ${ofKey()} or m.variants @> ${ofKey()}
              and not m.variants @> ${ofKey(`'removed', true`)})`,
    );
    const rows: { key: string }[] = await this.database.write(
      `update variant_work set since = now() where key in (
         select w.key from variant_work w where w.work = 'removal' and not (${IN_FORCE})
         order by w.key limit $1 for update skip locked)
       returning key`,
      [limit],
    );
    return rows.map(({ key }) => key);
  }

  /** Records that these objects are deleted. */
  async endRemovals(keys: readonly string[]): Promise<void> {
    await this.database.write(`delete from variant_work where key = any($1) and work = 'removal'`, [keys]);
  }

  /** Forgets work that was never finished, and failures that may be tried again; returns how many. */
  async forgetStaleWork(): Promise<number> {
    const [row] = await this.database.write<{ forgotten: number }>(
      `with forgotten as (delete from variant_work w where w.work <> 'removal' and not (${IN_FORCE}) returning 1)
       select count(*)::integer as forgotten from forgotten`,
    );
    return row?.forgotten ?? 0;
  }

  /** Records that a removed variant is being made, unless this is in progress or `limit` others are. */
  async beginMake(slug: string, key: string, limit: number): Promise<MakeAttempt> {
    const [attempt]: MakeAttempt[] = await this.database.write(
      `with asked as (
         select m.id from media m where m.slug = $1 and ${SERVED}
           and m.variants @> jsonb_build_array(jsonb_build_object('key', $2::text, 'removed', true))
       ), making as (
         select count(*)::int as open from variant_work w where w.work = 'make' and ${IN_FORCE}
       ), taken as (
         insert into variant_work as w (media_id, key, work) select asked.id, $2, 'make' from asked, making where open < $3
         on conflict (key) do update set work = 'make', since = now() where not (${IN_FORCE})
         returning key
       )
       select (select id from asked) as "mediaId", exists (select from taken) as taken, open,
              (select w.work from variant_work w where w.key = $2 and ${IN_FORCE}) as "inProgress"
       from making`,
      [slug, key, limit],
    );
    return attempt!;
  }

  /** Takes back that a variant is being made. */
  async abandonMake(key: string): Promise<void> {
    await this.database.write(`delete from variant_work where key = $1 and work = 'make'`, [key]);
  }

  /** Of these keys, those of served media that are being made, or removed. */
  async findInProgress(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const rows: { key: string }[] = await this.database.query(
      `select w.key from variant_work w join media m on m.id = w.media_id
       where w.key = any($1) and w.work <> 'failed' and ${IN_FORCE} and ${SERVED}`,
      [keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Locks the work on an object; null if there is none. */
  async lockWork(tx: Transaction, key: string): Promise<'removal' | 'make' | 'failed' | null> {
    const [row] = await tx.query<{ work: 'removal' | 'make' | 'failed' }>(
      'select work from variant_work where key = $1 for update',
      [key],
    );
    return row?.work ?? null;
  }

  /** Records that a variant could not be made. */
  async recordFailure(tx: Transaction, mediaId: number, key: string): Promise<void> {
    await tx.query(
      `insert into variant_work (media_id, key, work) values ($1, $2, 'failed')
       on conflict (key) do update set work = 'failed', since = now()`,
      [mediaId, key],
    );
  }

  /** Records that the object with this key, which the variants `used` have, was made for a reader. */
  async recordRemade(
    tx: Transaction,
    mediaId: number,
    { key, used }: { readonly key: string; readonly used: readonly VariantName[] },
  ): Promise<void> {
    await tx.query(
      `insert into variant_uses (media_id, name, used_on) select $1, unnest($2::text[]), ${TODAY}
       on conflict (media_id, name) do update set used_on = excluded.used_on`,
      [mediaId, used],
    );
    await tx.query('delete from variant_work where key = $1', [key]);
  }
}
