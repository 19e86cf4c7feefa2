import { Injectable } from '@nestjs/common';
import { PreparedReads, unseen } from '@vitrine/database';
import DataLoader from 'dataloader';
import { TOGETHER } from '../batches';
import type { Author } from '../users/author.presenter';
import { avatarJoin, avatarJson } from '../users/author.repository';
import type { MediaView, ShownMedia } from './media.presenter';

type Row = ShownMedia & { readonly username: string | null; readonly avatar: Author['avatar'] };

/** The columns of a `ShownMedia` whose row is `m`; of use to the read models of what media are in. */
export const SHOWN_MEDIA = `
  m.id, m.slug, m.user_id as "userId", m.title, m.description, m.alt_text as "altText", m.kind, m.format,
  m.mime, m.ext, m.bytes, m.width, m.height, m.duration, m.frames, m.moderation_status as "moderationStatus",
  m.processed, m.processing_error as "processingError", m.thumbhash, m.tags, m.unlisted, m.listing, m.variants,
  m.created_at as "createdAt"`;

/** A media with its owner in one row; guests, and who has deleted their account, are nobody. */
const VIEWS = `
  select ${SHOWN_MEDIA}, u.username, ${avatarJson('a')} as avatar
  from media m
  left join users u on u.id = m.user_id and u.deleted_at is null and u.kind = 'member'
  ${avatarJoin('u', 'a')}`;

/** The read model of media as they are shown: one statement each, past TypeORM. */
@Injectable()
export class MediaViewRepository {
  private readonly bySlug = new DataLoader<string, MediaView | null>((slugs) => this.findBySlugs(slugs), {
    ...TOGETHER,
  });

  constructor(private readonly reads: PreparedReads) {}

  findBySlug(slug: string): Promise<MediaView | null> {
    return this.bySlug.load(slug);
  }

  private async findBySlugs(slugs: readonly string[]): Promise<(MediaView | null)[]> {
    const rows = await this.reads.query<Row>(`${VIEWS} where m.slug = any(${unseen('$1::text[]')}::text[])`, [
      slugs,
    ]);
    const views = new Map(rows.map((row) => [row.slug, toView(row)]));
    return slugs.map((slug) => views.get(slug) ?? null);
  }

  /** By id; those that are gone are left out. */
  async findByIds(ids: readonly number[], replica: boolean): Promise<ReadonlyMap<number, MediaView>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.query<Row>(
      `${VIEWS} where m.id = any(${unseen('$1::bigint[]')}::bigint[])`,
      [ids],
      { replica },
    );
    return new Map(rows.map((row) => [row.id, toView(row)]));
  }
}

const toView = ({ username, avatar, ...media }: Row): MediaView => ({
  media,
  owner: username === null ? null : { username, avatar },
});
