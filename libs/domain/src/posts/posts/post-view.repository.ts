import { Injectable } from '@nestjs/common';
import type { PendingOn } from '@vitrine/contracts';
import { Database, hiddenFromPlanner } from '@vitrine/database';
import DataLoader from 'dataloader';
import { isModerator, owns, type Viewer } from '../../base/access/viewer';
import { avatarJoin, avatarJson, ownerJoin } from '../../base/queries/member-sql';
import { restrictionOf } from '../../base/queries/restriction-sql';
import { BATCHED_READS } from '../../base/queries/batched-reads';
import type { ShownMedia } from '../../media/items/media.types';
import { SHOWN_MEDIA } from '../../media/items/shown-media-sql';
import type { Author } from '../../accounts/authors/author.types';
import type { VoteState } from '../../community/votes/vote.rules';
import type { ListedPost, PostView, ShownPost, SinglePost } from './post.types';
import { type PostReference, referenceCondition } from '../rows/post-reference';
import type { Reading } from '../../base/access/reading';

/** A media item as JSON from PostgreSQL, in which times are texts. */
type MediaJson = Omit<ShownMedia, 'createdAt' | 'decidedAt'> & {
  readonly createdAt: string;
  readonly decidedAt: string | null;
};

type Row = ShownPost & {
  readonly username: string | null;
  readonly avatar: Author['avatar'];
  readonly vote: VoteState;
  readonly mediaCount: number;
  readonly pendingOn: PendingOn | null;
};

/** A post with a page of its media, as JSON from PostgreSQL. */
type SingleJson = Omit<Row, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly media: readonly MediaJson[];
  readonly blocked: boolean;
};

/** A post waits for the automatic check as long as one of its media does. */
const POSTS = `
  p.id, p.slug, p.user_id as "userId", p.title, p.description, p.visibility, p.access_key as "accessKey",
  p.moderation_status as "moderationStatus", p.revision, p.empty, p.listing, p.tags, p.score, p.view_count as "viewCount",
  p.comment_count as "commentCount", p.created_at as "createdAt", p.updated_at as "updatedAt",
  ${restrictionOf('p.user_id')} as "ownerRestriction",
  u.username, ${avatarJson('a')} as avatar, coalesce(v.value, 0) as vote,
  case when p.moderation_status = 'pending' then (
    select case when m.decided_at is null then 'machine' else 'person' end
    from post_media pm join media m on m.id = pm.media_id
    where pm.post_id = p.id and m.moderation_status = 'pending' order by m.decided_at nulls first limit 1
  ) end as "pendingOn"`;

/** Joins the author of a post `p` and the vote of the viewer with this id, or null. */
const joinedFor = (viewerId: string): string => `
  ${ownerJoin('p.user_id')}
  ${avatarJoin('u', 'a')}
  left join post_votes v on v.post_id = p.id and v.user_id = ${viewerId}`;

/** The media of a post `p` that the viewer may see: `seesRejected` in SQL. */
const mediaFor = (viewerId: string, isModerator: string): string => `
  post_media pm join media m on m.id = pm.media_id
  where pm.post_id = p.id and (m.moderation_status <> 'rejected' or p.user_id = ${viewerId} or ${isModerator})`;

/**
 * Answers several requests in one statement. A post is one JSON value, which is cheaper to parse than its columns.
 */
const singles = (column: 'slug' | 'id', type: 'text' | 'bigint'): string => `
  select single.place, to_json(single) as single from (
    select asked.place, ${POSTS}, shown.total as "mediaCount", shown.media,
           blocked_between(p.user_id, asked.viewer_id) as blocked
    from unnest(${hiddenFromPlanner(`$1::${type}[]`)}, ${hiddenFromPlanner('$2::bigint[]')}, ${hiddenFromPlanner('$3::boolean[]')},
                ${hiddenFromPlanner('$4::bigint[]')}, ${hiddenFromPlanner('$5::bigint[]')})
         with ordinality as asked (${column}, viewer_id, is_moderator, skipped, taken, place)
    join posts p on p.${column} = asked.${column}
    ${joinedFor('asked.viewer_id')}
    cross join lateral (
      select count(*)::integer as total,
             coalesce(json_agg(item order by place)
                      filter (where place > asked.skipped and place <= asked.skipped + asked.taken), '[]') as media
      from (select ${SHOWN_MEDIA}, row_number() over (order by pm.position) as place
            from ${mediaFor('asked.viewer_id', 'asked.is_moderator')}) as item
    ) as shown
  ) as single`;

const SINGLES = { slug: singles('slug', 'text'), id: singles('id', 'bigint') } as const;

const [VIEWER, MODERATOR] = [hiddenFromPlanner('$2::bigint'), hiddenFromPlanner('$3::boolean')];

/** `$1` holds the posts' ids, `$2` is the viewer's id or null, `$3` whether they are a moderator. */
const LISTED = `
  select ${POSTS}, shown.total as "mediaCount", first.media as "firstMedia"
  from posts p
  ${joinedFor(VIEWER)}
  cross join lateral (select count(*)::integer as total from ${mediaFor(VIEWER, MODERATOR)}) as shown
  left join lateral (
    select row_to_json(item) as media
    from (select ${SHOWN_MEDIA} from ${mediaFor(VIEWER, MODERATOR)} order by pm.position limit 1) as item
  ) as first on true
  where p.id = any(${hiddenFromPlanner('$1::bigint[]')}::bigint[])`;

/** A request for one post. */
interface SingleRequest {
  readonly named: string | number;
  readonly viewer: Viewer;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** Reads posts as they are shown, with one statement each. */
@Injectable()
export class PostViewRepository {
  private readonly loaders = {
    slug: new DataLoader((asked: readonly SingleRequest[]) => this.findSingles('slug', asked), {
      ...BATCHED_READS,
    }),
    id: new DataLoader((asked: readonly SingleRequest[]) => this.findSingles('id', asked), {
      ...BATCHED_READS,
    }),
  };

  constructor(private readonly database: Database) {}

  /** A post with one page of its media; `page` counts from 1. The caller checks whether the viewer may see it. */
  findSingle(post: PostReference, viewer: Viewer, page: number, perPage: number): Promise<SinglePost | null> {
    const [column, named] = referenceCondition(post);
    return this.loaders[column].load({ named, viewer, page, perPage });
  }

  private async findSingles(
    column: 'slug' | 'id',
    asked: readonly SingleRequest[],
  ): Promise<(SinglePost | null)[]> {
    const rows = await this.database.read<{ readonly place: number; readonly single: SingleJson }>(
      SINGLES[column],
      [
        asked.map(({ named }) => named),
        asked.map(({ viewer }) => viewer?.userId ?? null),
        asked.map(({ viewer }) => isModerator(viewer)),
        asked.map(({ page, perPage }) => (page - 1) * perPage),
        asked.map(({ perPage }) => perPage),
      ],
    );
    const found = new Map(rows.map(({ place, single }) => [place, single]));
    return asked.map(({ viewer }, index) => {
      const single = found.get(index + 1);
      return single ? toSingle(single, viewer) : null;
    });
  }

  /**
   * Posts by id, as lists show them; deleted ones are left out. For a viewer a replica is never asked, because it may
   * not have the viewer's latest votes.
   */
  async findListed(
    ids: readonly number[],
    { viewer, mayLag = false }: Reading,
  ): Promise<ReadonlyMap<number, ListedPost>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read<Row & { readonly firstMedia: MediaJson | null }>(
      LISTED,
      [ids, ...parametersOf(viewer)],
      { replica: mayLag && viewer === null },
    );
    return new Map(
      rows.map((row) => [
        row.id,
        { ...toView(row, viewer), firstMedia: row.firstMedia && toMedia(row.firstMedia) },
      ]),
    );
  }
}

const parametersOf = (viewer: Viewer): readonly [number | null, boolean] => [
  viewer?.userId ?? null,
  isModerator(viewer),
];

const toSingle = (
  { media, blocked, createdAt, updatedAt, ...fields }: SingleJson,
  viewer: Viewer,
): SinglePost => ({
  ...toView({ ...fields, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }, viewer),
  media: media.map(toMedia),
  blocked,
});

const toView = (row: Row, viewer: Viewer): PostView => ({
  post: row,
  author: row.username === null ? null : { username: row.username, avatar: row.avatar },
  vote: row.vote,
  own: owns(row, viewer),
  reviewed: isModerator(viewer),
  mediaCount: row.mediaCount,
  pendingOn: row.pendingOn,
});

const toMedia = ({ createdAt, decidedAt, ...media }: MediaJson): ShownMedia => ({
  ...media,
  decidedAt: decidedAt === null ? null : new Date(decidedAt),
  createdAt: new Date(createdAt),
});
