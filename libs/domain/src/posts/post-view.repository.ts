import { Injectable } from '@nestjs/common';
import { PreparedReads } from '@vitrine/database';
import type { ShownMedia } from '../media/media.presenter';
import { isModerator, type Viewer } from '../media/media.rules';
import { SHOWN_MEDIA } from '../media/media-view.repository';
import type { Author } from '../users/author.presenter';
import { avatarJson } from '../users/author.repository';
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

/** `$1` names the posts, `$2` is the viewer's id or null, `$3` whether they are a moderator. */
const POSTS = `
  p.id, p.slug, p.user_id as "userId", p.title, p.description, p.visibility, p.access_key as "accessKey",
  p.moderation_status as "moderationStatus", p.listing, p.tags, p.score, p.view_count as "viewCount",
  p.comment_count as "commentCount", p.created_at as "createdAt", p.updated_at as "updatedAt",
  u.username, ${avatarJson('a')} as avatar, coalesce(v.value, 0) as vote`;

/** Who has deleted their account is nobody. */
const JOINED = `
  posts p
  left join users u on u.id = p.user_id and u.deleted_at is null
  left join media a on a.id = u.avatar_media_id and a.moderation_status <> 'rejected'
  left join post_votes v on v.post_id = p.id and v.user_id = $2::bigint`;

/** The media of a post that the viewer may see: `seesRejectedMedia` in SQL. */
const VISIBLE_MEDIA = `
  post_media pm join media m on m.id = pm.media_id
  where pm.post_id = p.id and (m.moderation_status <> 'rejected' or p.user_id = $2::bigint or $3::boolean)`;

const single = (column: string): string => `
  select ${POSTS}, shown.total as "mediaCount", shown.media
  from ${JOINED}
  cross join lateral (
    select count(*)::integer as total,
           coalesce(json_agg(item order by place)
                    filter (where place > $4::bigint and place <= $4::bigint + $5::bigint), '[]') as media
    from (select ${SHOWN_MEDIA}, row_number() over (order by pm.position) as place from ${VISIBLE_MEDIA}) as item
  ) as shown
  where p.${column} = $1`;

const LISTED = `
  select ${POSTS}, shown.total as "mediaCount", first.media as "firstMedia"
  from ${JOINED}
  cross join lateral (select count(*)::integer as total from ${VISIBLE_MEDIA}) as shown
  left join lateral (
    select row_to_json(item) as media
    from (select ${SHOWN_MEDIA} from ${VISIBLE_MEDIA} order by pm.position limit 1) as item
  ) as first on true
  where p.id = any($1::bigint[])`;

/** The read model of posts as they are shown: one statement each, past TypeORM. */
@Injectable()
export class PostViewRepository {
  constructor(private readonly reads: PreparedReads) {}

  /** A post with one page of its media, from 1; whether `viewer` may see it is left to the caller. */
  async findSingle(
    post: PostReference,
    viewer: Viewer,
    page: number,
    perPage: number,
  ): Promise<SinglePost | null> {
    const [column, value] = referenceCondition(post);
    const [row] = await this.reads.query<Row & { readonly media: readonly MediaJson[] }>(single(column), [
      value,
      ...parametersOf(viewer),
      (page - 1) * perPage,
      perPage,
    ]);
    return row ? { ...toView(row, viewer), media: row.media.map(toMedia) } : null;
  }

  /** Posts by id, as lists show them; those that are gone are left out. */
  async findListed(ids: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, ListedPost>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reads.query<Row & { readonly firstMedia: MediaJson | null }>(LISTED, [
      ids,
      ...parametersOf(viewer),
    ]);
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

const toView = (row: Row, viewer: Viewer): PostView => ({
  post: row,
  author: row.username === null ? null : { username: row.username, avatar: row.avatar },
  vote: row.vote,
  own: ownsPost(row, viewer),
  mediaCount: row.mediaCount,
});

const toMedia = ({ createdAt, ...media }: MediaJson): ShownMedia => ({
  ...media,
  createdAt: new Date(createdAt),
});
