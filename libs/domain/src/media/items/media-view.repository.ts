import { Injectable } from '@nestjs/common';
import { Database, hiddenFromPlanner } from '@vitrine/database';
import DataLoader from 'dataloader';
import { avatarJoin, avatarJson, ownerJoin } from '../../base/queries/member-sql';
import { restrictionOf } from '../../base/queries/restriction-sql';
import { BATCHED_READS } from '../../base/queries/batched-reads';
import type { Author } from '../../accounts/authors/author.types';
import type { MediaView, PlacedMedia, ShownMedia } from './media.types';
import { SHOWN_MEDIA } from './shown-media-sql';

type Row = ShownMedia &
  Pick<MediaView, 'ownerRestriction'> & {
    readonly username: string | null;
    readonly avatar: Author['avatar'];
  };

/** A media item with its owner in one row. Guests and deleted accounts aren't shown as owners. */
const VIEWS = `
  select ${SHOWN_MEDIA}, u.username, ${avatarJson('a')} as avatar,
         ${restrictionOf('m.user_id')} as "ownerRestriction"
  from media m
  ${ownerJoin('m.user_id')}
  ${avatarJoin('u', 'a')}`;

/** The latest post of a media item that meets a condition. */
const latestPost = (condition: string): string =>
  `(select json_build_object('slug', p.slug, 'title', p.title) from post_media pm join posts p on p.id = pm.post_id
    where pm.media_id = m.id and ${condition} order by p.id desc limit 1)`;

/** A post with adult content is only named for adult media, because a title can be explicit. */
const PLACED = `
  select m.*, ${latestPost(`(p.listing = 'safe' or p.listing = m."moderationStatus")`)} as "listedPost",
         ${latestPost('p.user_id = m."userId"')} as "ownPost"
  from (${VIEWS} where m.slug = any(${hiddenFromPlanner('$1::text[]')}::text[])) as m`;

/** Reads media as they are shown, with one statement each. */
@Injectable()
export class MediaViewRepository {
  private readonly bySlug = new DataLoader<string, PlacedMedia | null>((slugs) => this.findBySlugs(slugs), {
    ...BATCHED_READS,
  });

  constructor(private readonly database: Database) {}

  findBySlug(slug: string): Promise<PlacedMedia | null> {
    return this.bySlug.load(slug);
  }

  private async findBySlugs(slugs: readonly string[]): Promise<(PlacedMedia | null)[]> {
    const rows = await this.database.read<Row & Pick<PlacedMedia, 'listedPost' | 'ownPost'>>(PLACED, [slugs]);
    const views = new Map(
      rows.map(({ listedPost, ownPost, ...row }) => [row.slug, { ...toView(row), listedPost, ownPost }]),
    );
    return slugs.map((slug) => views.get(slug) ?? null);
  }

  /** Media by id; deleted ones are left out. */
  async findByIds(ids: readonly number[], replica: boolean): Promise<ReadonlyMap<number, MediaView>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read<Row>(
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
