import { Injectable } from '@nestjs/common';
import {
  type AlternativeRecord,
  LONGEST_VIDEO_SECONDS,
  type MediaProgressed,
  type MediaVariantsStored,
  mediaVariantsStored,
  type ModerationStatus,
  type StoredVariant,
  storedVariants,
} from '@vitrine/contracts';
import { Database, hiddenFromPlanner, type Transaction } from '@vitrine/database';
import { isWithheld } from '../../base/queries/restriction-sql';
import { MediaEntity } from './media.entity';
import { EVENT_FACTS, type EventFacts } from './media-events';
import { INSERTION, insertionParameter, MEDIA_FIELDS, type StoredMedia } from './media-columns';
import type {
  AnnouncementsDue,
  LockedMedia,
  MediaFields,
  MediaState,
  NewMedia,
  RelistedMedia,
  RemainingVariants,
  RemovedMedia,
} from './media-row.types';

/** Adds deliveries of an event, whose data are some `columns`, to the webhooks of the owner. Without an owner there are none. */
const deliver = (event: string, ...columns: readonly string[]): string =>
  `add_webhook_deliveries(user_id, gen_random_uuid(), '${event}', now(),
     json_build_object(${columns.map((column) => `'${column}', ${column}`).join()}))`;

/** Whether a media item has tags or posts, as a column of a statement that writes `media`. */
const IS_CONNECTED = `exists (select from media_tags where media_id = media.id)
  or exists (select from post_media where media_id = media.id) as "isConnected"`;

/** The ids of media, and which feeds show them if they have this status. */
const derivedListings = (status: string, id: string): string =>
  `select m.id, case
     when ${status} not in ('approved', 'nsfw') then 'unlisted'
     when ${isWithheld('m.user_id')} then 'unlisted'
     when (m.unlisted or exists (select from post_media pm where pm.media_id = m.id))
      and not exists (select from post_media pm join posts p on p.id = pm.post_id
                      where pm.media_id = m.id and p.visibility = 'public') then 'unlisted'
     when ${status} = 'approved' then 'safe' else 'nsfw' end as listing
   from media m where m.id = ${id}`;

const RECORD_DECISION = `with before as (select listing from media where id = $1)
  update media set moderation_status = $2, decided_at = now(), listing = derived.listing, event_sequence = event_sequence + 2
  from before, (${derivedListings('$2::text', '$1')}) as derived
  where media.id = derived.id
  returning media.id, ${IS_CONNECTED}, before.listing <> media.listing as "isRelisted", ${EVENT_FACTS}`;

const DERIVE_LISTINGS = `update media set listing = derived.listing
  from (${derivedListings('m.moderation_status', `any(${hiddenFromPlanner('$1::bigint[]')}::bigint[])`)}) as derived
  where media.id = derived.id and media.listing <> derived.listing returning media.id, ${IS_CONNECTED}`;

/** Longer than a media-processor, which may have read the original before, works on a media item and stores its variants. */
const LATEST_WORK_SECONDS = 3 * LONGEST_VIDEO_SECONDS;

/** Every write of the table `media`, and reads of single rows. */
@Injectable()
export class MediaRepository {
  constructor(private readonly database: Database) {}

  findBySlug(slug: string): Promise<MediaEntity | null> {
    return this.database.repository(MediaEntity).findOneBy({ slug });
  }

  /** The slug of the media item with this id; null if there is none. */
  async findSlug(id: number): Promise<string | null> {
    return (await this.findState(id))?.slug ?? null;
  }

  /** The result of a media item's processing, and when it was decided on; null if there is none with this id. */
  async findState(id: number): Promise<MediaState | null> {
    const [row] = await this.database.read<MediaState>(
      'select slug, processing_error as "processingError", decided_at as "decidedAt" from media where id = $1',
      [id],
    );
    return row ?? null;
  }

  findUnprocessed(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.findDue(slugs, 'not processed');
  }

  /** `isInProgress` in SQL. */
  findInProgress(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return this.findDue(slugs, "(not processed or (moderation_status = 'pending' and decided_at is null))");
  }

  /** Of these slugs, those of media that are served and for which `condition`, in SQL, holds. */
  private async findDue(slugs: readonly string[], condition: string): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ slug: string }>(
      `select slug from media
       where slug = any($1) and processing_error is null and moderation_status <> 'rejected' and ${condition}`,
      [slugs],
    );
    return new Set(rows.map(({ slug }) => slug));
  }

  /** The ids of the media with these slugs, by slug; unknown ones are left out. */
  async findIdsBySlug(slugs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await this.database.read<{ id: number; slug: string }>(
      'select id, slug from media where slug = any($1)',
      [slugs],
    );
    return new Map(rows.map(({ id, slug }) => [slug, id]));
  }

  /** Those of `slugs` that are in use. */
  async findExistingSlugs(slugs: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.findIdsBySlug(slugs)).keys());
  }

  /**
   * Returns the rows in the same order, without those whose slugs `PendingFiles` has given up. Throws PostgreSQL's
   * unique_violation of `media_slug_key` if a slug is taken.
   */
  insert(tx: Transaction, media: readonly NewMedia[]): Promise<(StoredMedia & EventFacts)[]> {
    return tx.query<StoredMedia & EventFacts>(INSERTION, [insertionParameter(media)], { prepared: true });
  }

  lockBySlug(tx: Transaction, slug: string): Promise<MediaEntity | null> {
    return this.lockWhere(tx, 'slug = $1', slug);
  }

  lockById(tx: Transaction, id: number): Promise<MediaEntity | null> {
    return this.lockWhere(tx, 'id = $1', id);
  }

  /**
   * Locks a row with a prepared statement; null if there is none. With TypeORM's `findOne`, PostgreSQL would plan the
   * statement again for each call, and building the entity would take as long as the planning.
   */
  private async lockWhere(
    tx: Transaction,
    condition: 'id = $1' | 'slug = $1',
    value: number | string,
  ): Promise<MediaEntity | null> {
    const [row] = await tx.query<MediaEntity>(
      `select ${MEDIA_FIELDS} from media where ${condition} for update`,
      [value],
      { prepared: true },
    );
    return row ?? null;
  }

  /** Locks media in the order of their ids, as every transaction does; deleted ones are left out. */
  lockAll(tx: Transaction, ids: readonly number[]): Promise<LockedMedia[]> {
    return tx.query<LockedMedia>(
      `select id, slug, user_id as "userId" from media where id = any($1::bigint[]) order by id for no key update`,
      [ids],
    );
  }

  /** The sweeper's batch: processed media whose automated decision is overdue, oldest first. */
  lockUndecided(tx: Transaction, due: AnnouncementsDue, limit: number): Promise<MediaEntity[]> {
    // An event that the relay hasn't published yet isn't added again.
    return tx.query<MediaEntity>(
      `select ${MEDIA_FIELDS} from media
       where processed and decided_at is null
         and announced_at < now() - interval '1 second' * least($1 * power(2, least(announcements, 20) - 1), $2)
         and slug not in (select envelope->'data'->>'slug' from outbox where envelope->>'type' = $3)
       order by announced_at limit $4 for update of media skip locked`,
      [due.firstAfterSeconds, due.atMostSeconds, mediaVariantsStored.type, limit],
    );
  }

  async recordAnnouncement(tx: Transaction, id: number, announcements: number): Promise<void> {
    await tx.query('update media set announcements = $2, announced_at = now() where id = $1', [
      id,
      announcements,
    ]);
  }

  /** Changes what the owner sets. */
  async change(tx: Transaction, id: number, fields: MediaFields): Promise<void> {
    if (Object.keys(fields).length > 0) await tx.repository(MediaEntity).update(id, fields);
  }

  /**
   * Records variants in place of the earlier ones, of whose alternatives no records remain. The first variants of a media
   * item are delivered to the webhooks of its owner, and their event is due; null for later ones.
   */
  async recordProcessed(tx: Transaction, event: MediaVariantsStored): Promise<EventFacts | null> {
    const [facts] = await tx.query<EventFacts>(
      `with before as (select processed as again from media where id = $1), recorded as (
       update media set
         processed = true, processing_error = null, processed_at = coalesce(processed_at, now()),
         announced_at = case when processed then announced_at else now() end,
         announcements = case when processed then announcements else 1 end,
         event_sequence = event_sequence + (not processed)::integer,
         variants_used_at = case when processed then now() end,
         variants = $2, alternatives = '[]', thumbhash = $3, hashes = $4, frame_keys = $5,
         width = $6, height = $7, duration = $8, fully_seen = $9
       from before where id = $1
       returning user_id, again, slug, kind, width, height, duration, ${EVENT_FACTS})
       select sequence, owner, ${deliver('media.processed', 'slug', 'kind', 'width', 'height', 'duration')}
       from recorded where not again`,
      [
        event.media_id,
        JSON.stringify(storedVariants(event)),
        event.thumbhash,
        JSON.stringify(event.hashes),
        event.frames,
        event.width,
        event.height,
        event.duration,
        event.fully_seen ?? true,
      ],
      { prepared: true },
    );
    return facts ?? null;
  }

  /** Records that a media item can't be processed, and delivers this to the webhooks of its owner. */
  async recordFailed(tx: Transaction, id: number, reason: string): Promise<EventFacts> {
    const [facts] = await tx.query<EventFacts>(
      `with recorded as (
         update media set processed = false, processing_error = $2, announcements = 1, announced_at = now(),
           event_sequence = event_sequence + 1
         where id = $1 returning user_id, slug, processing_error as reason, ${EVENT_FACTS})
       select sequence, owner, ${deliver('media.failed', 'slug', 'reason')} from recorded`,
      [id, reason],
      { prepared: true },
    );
    return facts!;
  }

  /** Records how much of the processing of a media item is done, in percent, if it is not processed yet. */
  async recordProgress({ media_id, slug, percent }: MediaProgressed): Promise<void> {
    await this.database.write(
      `update media set processing_progress = $3
       where id = $1 and slug = $2 and not processed and processing_error is null`,
      [media_id, slug, percent],
    );
  }

  /** Resets a failed processing, as if the media item had just been announced for the first time. */
  async resetProcessing(tx: Transaction, id: number): Promise<void> {
    await tx.query(
      `update media set processing_error = null, processing_progress = null, announcements = 1, announced_at = now(),
         waiting_since = now() where id = $1`,
      [id],
    );
  }

  /** Makes a pending media item wait for its automated decision again. */
  async resetDecision(tx: Transaction, id: number): Promise<void> {
    await tx.query('update media set decided_at = null where id = $1', [id]);
  }

  /**
   * Records the status of a locked media item, and derives its listing as `deriveListings` does. The number in the sequence
   * before the returned one belongs to this decision too.
   */
  async recordDecision(
    tx: Transaction,
    id: number,
    moderationStatus: ModerationStatus,
  ): Promise<EventFacts & { readonly relisted: readonly RelistedMedia[] }> {
    const [recorded] = await tx.query<EventFacts & RelistedMedia & { isRelisted: boolean }>(
      RECORD_DECISION,
      [id, moderationStatus],
      { prepared: true },
    );
    if (!recorded) throw new Error('A locked media item does not exist');
    return { ...recorded, relisted: recorded.isRelisted ? [recorded] : [] };
  }

  /**
   * Derives which feeds show some media, from their status, the visibility of their posts, whether they are unlisted,
   * and whether their owner is restricted. The rows must be locked, so that the later of two simultaneous changes sees
   * both. Returns those whose listing has changed.
   */
  deriveListings(tx: Transaction, ids: readonly number[]): Promise<readonly RelistedMedia[]> {
    return tx.query(DERIVE_LISTINGS, [ids], { prepared: true });
  }

  /** Makes locked media refer to a shared file, or to none. */
  async refer(tx: Transaction, ids: readonly number[], sharedKey: string | null): Promise<void> {
    await tx.query('update media set shared_key = $2 where id = any($1::bigint[])', [ids, sharedKey]);
  }

  /** Adds alternatives to the records of a locked media item, in place of earlier ones with the same keys. */
  async addAlternatives(
    tx: Transaction,
    id: number,
    alternatives: readonly AlternativeRecord[],
  ): Promise<void> {
    await tx.query(
      `update media set alternatives = $2::jsonb || coalesce(
         (select jsonb_agg(kept) from jsonb_array_elements(alternatives) kept where kept ->> 'key' <> all ($3::text[])), '[]')
       where id = $1 and $2::jsonb <> '[]'`,
      [id, JSON.stringify(alternatives), alternatives.map(({ key }) => key)],
    );
  }

  /** Replaces the records of the variants of a locked media item. */
  async replaceVariants(tx: Transaction, id: number, variants: readonly StoredVariant[]): Promise<void> {
    await tx.query('update media set variants = $2 where id = $1', [id, JSON.stringify(variants)]);
  }

  /** As `replaceVariants`, if one of them was made again because a reader requested it now. */
  async recordRemade(tx: Transaction, id: number, variants: readonly StoredVariant[]): Promise<void> {
    await tx.query(
      `update media set variants = $2, variants_used_at = least(coalesce(variants_used_at, processed_at), now())
       where id = $1`,
      [id, JSON.stringify(variants)],
    );
  }

  /** Replaces the records of locked media of which variants are removed. */
  async recordRemovals(tx: Transaction, media: readonly RemainingVariants[]): Promise<void> {
    await tx.query(
      `update media set variants = given.variants::jsonb, alternatives = given.alternatives::jsonb,
         variants_used_at = given.used_at::timestamptz
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as given (id, variants, used_at, alternatives)
       where media.id = given.id`,
      [
        media.map(({ id }) => id),
        media.map(({ variants }) => JSON.stringify(variants)),
        media.map(({ usedAt }) => usedAt?.toISOString() ?? 'infinity'),
        media.map(({ alternatives }) => JSON.stringify(alternatives)),
      ],
    );
  }

  /** The ids of up to `limit` media of a user, oldest first, after the one with the id `after`. */
  async findIdsOf(tx: Transaction, userId: number, limit: number, after = 0): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      'select id from media where user_id = $1 and id > $3 order by id limit $2',
      [userId, limit, after],
    );
    return rows.map((row) => row.id);
  }

  /** Gives media to another owner, whose feed the trigger `media_feeds` counts because the statement sets `listing`. */
  async give(tx: Transaction, fromId: number, toId: number): Promise<readonly number[]> {
    const rows = await tx.query<{ id: number }>(
      `update media set user_id = $2, listing = listing where user_id = $1 returning id`,
      [fromId, toId],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Removes media, which webhooks are told; returns their last facts and the keys of the shared files to which they referred.
   * Their slugs stay in `pending_files` until no media-processor can work on them any longer.
   */
  removeAll(tx: Transaction, ids: readonly number[]): Promise<readonly RemovedMedia[]> {
    return tx.query<RemovedMedia>(
      `with removed as (delete from media where id = any($1::bigint[])
         returning id, user_id, slug, shared_key, ${EVENT_FACTS}),
       pending as (
         insert into pending_files (slug, due_at, given_up)
         select slug, now() + ${LATEST_WORK_SECONDS} * interval '1 second', true from removed
         on conflict (slug) do update set due_at = excluded.due_at, given_up = true)
       select id, shared_key as "sharedKey", sequence + 1 as sequence, owner, ${deliver('media.deleted', 'slug')} from removed`,
      [ids],
    );
  }
}
