import { Injectable } from '@nestjs/common';
import { PreparedReads, unseen } from '@vitrine/database';
import DataLoader from 'dataloader';
import { TOGETHER } from '../batches';
import type { ShownMedia } from '../media/media.presenter';
import { isModerator, type Viewer } from '../media/media.rules';
import { SHOWN_MEDIA } from '../media/media-view.repository';
import type { Author } from '../users/author.presenter';
import { avatarJoin, avatarJson } from '../users/author.repository';
import type { VoteState } from '../votes/vote.rules';
import type { ListedPost, PostView, ShownPost, SinglePost } from './post.presenter';
import { type PostReference, referenceCondition } from './post-reference';
import { ownsPost } from './post.rules';

/** As PostgreSQL makes JSON of it: moments are texts. */
type MediaJson = Omit<ShownMedia, 'createdAt'> & { readonly createdAt: string };

type Row = ShownPost & {
  readonly username: string | null;
  readonly avatar: Author['avatar'];
  readonly vote: VoteState;
  readonly mediaCount: number;
};

/** A post with a page of its media, as PostgreSQL makes JSON of it. */
type SingleJson = Omit<Row, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly media: readonly MediaJson[];
};

const POSTS = `
  p.id, p.slug, p.user_id as "userId", p.title, p.description, p.visibility, p.access_key as "accessKey",
  p.moderation_status as "moderationStatus", p.revision, p.empty, p.listing, p.tags, p.score, p.view_count as "viewCount",
  p.comment_count as "commentCount", p.created_at as "createdAt", p.updated_at as "updatedAt",
  u.username, ${avatarJson('a')} as avatar, coalesce(v.value, 0) as vote`;

/** What belongs to a post `p`, for the viewer with this id or null. Guests, and who has deleted their account, are nobody. */
const joinedFor = (viewerId: string): string => `
  left join users u on u.id = p.user_id and u.deleted_at is null and u.kind = 'member'
  ${avatarJoin('u', 'a')}
  left join post_votes v on v.post_id = p.id and v.user_id = ${viewerId}`;

/** The media of a post `p` that the viewer may see: `seesRejectedMedia` in SQL. */
const mediaFor = (viewerId: string, isModerator: string): string => `
  post_media pm join media m on m.id = pm.media_id
  where pm.post_id = p.id and (m.moderation_status <> 'rejected' or p.user_id = ${viewerId} or ${isModerator})`;

/** Any number of requests in one statement. A whole post is one JSON value: cheaper to parse than its columns. */
const singles = (column: 'slug' | 'id', type: 'text' | 'bigint'): string => `
  select single.place, to_json(single) as single from (
    select asked.place, ${POSTS}, shown.total as "mediaCount", shown.media
    from unnest(${unseen(`$1::${type}[]`)}, ${unseen('$2::bigint[]')}, ${unseen('$3::boolean[]')},
                ${unseen('$4::bigint[]')}, ${unseen('$5::bigint[]')})
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

const [VIEWER, MODERATOR] = [unseen('$2::bigint'), unseen('$3::boolean')];

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
  where p.id = any(${unseen('$1::bigint[]')}::bigint[])`;

/** A request for one post. */
interface SingleRequest {
  readonly named: string | number;
  readonly viewer: Viewer;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** The read model of posts as they are shown: one statement each, past TypeORM. */
@Injectable()
export class PostViewRepository {
  private readonly loaders = {
    slug: new DataLoader((asked: readonly SingleRequest[]) => this.findSingles('slug', asked), {
      ...TOGETHER,
    }),
    id: new DataLoader((asked: readonly SingleRequest[]) => this.findSingles('id', asked), { ...TOGETHER }),
  };

  constructor(private readonly reads: PreparedReads) {}

  /** A post with one page of its media, from 1; whether `viewer` may see it is left to the caller. */
  findSingle(post: PostReference, viewer: Viewer, page: number, perPage: number): Promise<SinglePost | null> {
    const [column, named] = referenceCondition(post);
    return this.loaders[column].load({ named, viewer, page, perPage });
  }

  private async findSingles(
    column: 'slug' | 'id',
    asked: readonly SingleRequest[],
  ): Promise<(SinglePost | null)[]> {
    const rows = await this.reads.query<{ readonly place: number; readonly single: SingleJson }>(
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
   * Posts by id, as lists show them; those that are gone are left out. A viewer's own votes are never a replica's to
   * tell.
   */
  async findListed(
    ids: readonly number[],
    viewer: Viewer,
    replica: boolean,
  ): Promise<ReadonlyMap<number, ListedPost>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.query<Row & { readonly firstMedia: MediaJson | null }>(
      LISTED,
      [ids, ...parametersOf(viewer)],
      { replica: replica && viewer === null },
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

const toSingle = ({ media, createdAt, updatedAt, ...fields }: SingleJson, viewer: Viewer): SinglePost => ({
  ...toView({ ...fields, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }, viewer),
  media: media.map(toMedia),
});

const toView = (row: Row, viewer: Viewer): PostView => ({
  post: row,
  author: row.username === null ? null : { username: row.username, avatar: row.avatar },
  vote: row.vote,
  own: ownsPost(row, viewer),
  reviewed: isModerator(viewer),
  mediaCount: row.mediaCount,
});

const toMedia = ({ createdAt, ...media }: MediaJson): ShownMedia => ({
  ...media,
  createdAt: new Date(createdAt),
});
