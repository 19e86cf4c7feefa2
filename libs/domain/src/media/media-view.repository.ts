import { Injectable } from '@nestjs/common';
import { PreparedReads, hiddenFromPlanner } from '@vitrine/database';
import DataLoader from 'dataloader';
import { avatarJoin, avatarJson, ownerJoin } from '../queries/member-sql';
import { restrictionOf } from '../queries/restriction-sql';
import { BATCHED_READS } from '../queries/batched-reads';
import type { Author } from '../authors/author.presenter';
import type { MediaView, ShownMedia } from './media.presenter';

type Row = ShownMedia &
  Pick<MediaView, 'ownerRestriction'> & {
    readonly username: string | null;
    readonly avatar: Author['avatar'];
  };

/** The columns of a `ShownMedia` whose row is `m`; the read models of posts use them too. */
export const SHOWN_MEDIA = `
  m.id, m.slug, m.user_id as "userId", m.title, m.description, m.alt_text as "altText", m.kind, m.format,
  m.mime, m.ext, m.bytes, m.width, m.height, m.duration, m.frames, m.moderation_status as "moderationStatus",
  m.decided_at as "decidedAt",  m.processed, m.processing_error as "processingError", m.thumbhash, m.tags, m.unlisted,
  m.owner_nsfw as "ownerNsfw", m.listing, m.variants,
  m.created_at as "createdAt"`;

/** A media item with its owner in one row. Guests and deleted accounts aren't shown as owners. */
const VIEWS = `
  select ${SHOWN_MEDIA}, u.username, ${avatarJson('a')} as avatar,
         ${restrictionOf('m.user_id')} as "ownerRestriction"
  from media m
  ${ownerJoin('m.user_id')}
  ${avatarJoin('u', 'a')}`;

/** Reads media as they are shown, with one statement each. */
@Injectable()
export class MediaViewRepository {
  private readonly bySlug = new DataLoader<string, MediaView | null>((slugs) => this.findBySlugs(slugs), {
    ...BATCHED_READS,
  });

  constructor(private readonly reads: PreparedReads) {}

  findBySlug(slug: string): Promise<MediaView | null> {
    return this.bySlug.load(slug);
  }

  private async findBySlugs(slugs: readonly string[]): Promise<(MediaView | null)[]> {
    const rows = await this.reads.query<Row>(
      `${VIEWS} where m.slug = any(${hiddenFromPlanner('$1::text[]')}::text[])`,
      [slugs],
    );
    const views = new Map(rows.map((row) => [row.slug, toView(row)]));
    return slugs.map((slug) => views.get(slug) ?? null);
  }

  /** Media by id; deleted ones are left out. */
  async findByIds(ids: readonly number[], replica: boolean): Promise<ReadonlyMap<number, MediaView>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.query<Row>(
      `${VIEWS} where m.id = any(${hiddenFromPlanner('$1::bigint[]')}::bigint[])`,
      [ids],
      { replica },
    );
    return new Map(rows.map((row) => [row.id, toView(row)]));
  }
}

const toView = ({ username, avatar, ownerRestriction, ...media }: Row): MediaView => ({
  media,
  ownerRestriction,
  owner: username === null ? null : { username, avatar },
});
