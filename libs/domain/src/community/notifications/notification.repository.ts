import { Injectable } from '@nestjs/common';
import { MAX_NOTIFICATIONS, type NotificationKind } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import { isWithheld } from '../../base/queries/restriction-sql';
import type {
  Announced,
  MailedNotification,
  NewNotification,
  NotificationRow,
  Wishes,
} from './notification.types';

/** Notifications `n` for the next mail: unread ones that nobody has read within two minutes, without what has its own mail. */
const FOR_MAIL = `n.id > wishes.mailed_up_to and n.read_at is null and n.kind <> 'account'
  and n.created_at < now() - interval '2 minutes'`;

const IS_OPEN = `p.visibility <> 'private' and p.moderation_status <> 'rejected'`;
/** Whether the receiver of a notification `n` may read of the post `p`: of a new post only while it is in the feeds. */
const SHOWS_POST = `(p.user_id = n.user_id or ${IS_OPEN} and (n.kind <> 'post' or p.listing <> 'unlisted'))`;

/**
 * Whether a member may be told that the text of a post or comment names them: the writer is an account that feeds list, the
 * receiver can see the post, and was not told of the text before.
 */
const MAY_MENTION = `
  exists (select from users where id = $3 and kind = 'member') and not ${isWithheld('$3')}
  and exists (select from posts p where p.id = $4 and not p.empty and ${IS_OPEN} and not blocked_between($1, p.user_id))
  and not exists (select from notifications where user_id = $1 and kind in ('comment', 'reply', 'mention')
                  and post_id = $4 and comment_id is not distinct from $6)`;

/** Every query on the tables `notifications` and `notification_settings`. */
@Injectable()
export class NotificationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds a notification, unless its receiver is a guest or deleted, doesn't want its kind, or mutes or blocks who caused it
   * or is blocked by them, or must not be told of a mention. Returns whether it was added.
   */
  async insert(tx: Transaction, userId: number, notification: NewNotification): Promise<boolean> {
    const { kind, actorId, postId = null, mediaId = null, commentId = null, detail = null } = notification;
    return tx.affects(
      `insert into notifications (user_id, kind, actor_id, post_id, media_id, comment_id, detail)
       select id, $2, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::json
       from (select id from users where id = $1 and deleted_at is null and kind = 'member' for key share) as receiver
       where not $2 = any(coalesce((select unwanted from notification_settings where user_id = $1), array['post']))
         and ($2 <> 'mention' or ${MAY_MENTION})
         and not exists (select from mutes where muter_id = $1 and muted_id = $3)
         and not blocked_between($1, $3)
       on conflict do nothing`,
      [userId, kind, actorId, postId, mediaId, commentId, detail === null ? null : JSON.stringify(detail)],
    );
  }

  /**
   * Removes all but the latest `MAX_NOTIFICATIONS` of one kind, so that strangers who cause many of one kind don't remove others.
   * Rows that another transaction removes are skipped.
   */
  async removeOld(tx: Transaction, userId: number, kind: NotificationKind): Promise<void> {
    await tx.query(
      `delete from notifications where id in (
         select id from notifications where user_id = $1 and kind = $2 and id <= (
           select id from notifications where user_id = $1 and kind = $2 order by id desc offset $3 limit 1)
         for update skip locked)`,
      [userId, kind, MAX_NOTIFICATIONS],
    );
  }

  /** One page of an account's notifications, the latest first, without posts and comments that its owner can no longer see. */
  findPage(
    userId: number,
    unreadOnly: boolean,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<NotificationRow[]> {
    return this.database.read<NotificationRow>(
      `select n.id, n.kind, n.actor_id as "actorId", n.detail, n.created_at as "createdAt",
              n.read_at is not null as read,
              case when ${SHOWS_POST} then json_build_object('slug', p.slug, 'title', p.title) end as post,
              case when m.id is not null then json_build_object('slug', m.slug) end as media,
              case when c.id is not null and ${SHOWS_POST}
                   then json_build_object('id', c.id, 'content', c.content) end as comment
       from notifications n
       left join posts p on p.id = n.post_id
       left join media m on m.id = n.media_id
       left join comments c on c.id = n.comment_id
       where n.user_id = $1 and (not $2 or n.read_at is null)
       order by n.id desc limit $3 offset $4`,
      [userId, unreadOnly, limit, offset],
    );
  }

  /** The number of all notifications of an account, and of the unread ones. */
  async count(userId: number): Promise<{ readonly total: number; readonly unread: number }> {
    const [row] = await this.database.read<{ total: number; unread: number }>(
      `select count(*)::integer as total, count(*) filter (where read_at is null)::integer as unread
       from notifications where user_id = $1`,
      [userId],
    );
    return row ?? { total: 0, unread: 0 };
  }

  async countUnread(userId: number): Promise<number> {
    const [row] = await this.database.read<{ unread: number }>(
      'select count(*)::integer as unread from notifications where user_id = $1 and read_at is null',
      [userId],
    );
    return row?.unread ?? 0;
  }

  /** Marks one notification as read; returns whether the account has it. */
  markRead(tx: Transaction, userId: number, id: number): Promise<boolean> {
    return tx.affects(
      `update notifications set read_at = coalesce(read_at, now()) where id = $2 and user_id = $1`,
      [userId, id],
    );
  }

  /** Marks the notifications of an account as read; if `upTo` is given, only those with ids up to it. */
  async markAllRead(tx: Transaction, userId: number, upTo: number | null): Promise<void> {
    await tx.query(
      `update notifications set read_at = now()
       where user_id = $1 and read_at is null and ($2::bigint is null or id <= $2)`,
      [userId, upTo],
    );
  }

  async findWishes(userId: number): Promise<Wishes> {
    const [row] = await this.database.read<Wishes>(
      'select unwanted, mail from notification_settings where user_id = $1',
      [userId],
    );
    return row ?? { unwanted: ['post'], mail: 'never' };
  }

  /** Changes what an account wants, and returns what it wants then. The first mail holds only notifications from now on. */
  async changeWishes(
    tx: Transaction,
    userId: number,
    { wanted, unwanted, mail }: Partial<Wishes> & { readonly wanted: Wishes['unwanted'] },
  ): Promise<Wishes> {
    const changed = (before: string): string =>
      `array(select unnest(${before} || $2::text[]) except select unnest($3::text[]))`;
    const [row] = await tx.query<Wishes>(
      `insert into notification_settings as known (user_id, unwanted, mail, mailed_up_to)
       values ($1, ${changed(`array['post']`)}, coalesce($4, 'never'),
               coalesce((select max(id) from notifications where user_id = $1), 0))
       on conflict (user_id) do update set unwanted = ${changed('known.unwanted')}, mail = coalesce($4, known.mail),
         mailed_up_to = case known.mail when 'never' then excluded.mailed_up_to else known.mailed_up_to end
       returning unwanted, mail`,
      [userId, unwanted, wanted, mail],
    );
    return row!;
  }

  /**
   * Tells the next `limit` followers of a post's author of the post, if they want to know of new posts; `after` is the id
   * of the last follow that is done. Returns the id of the last one in this batch, null after the end, and who was told.
   */
  async insertForFollowers(
    tx: Transaction,
    postId: number,
    after: number,
    limit: number,
  ): Promise<Announced> {
    const [row] = await tx.query<Announced>(
      `with post as (
         select id, user_id from posts where id = $1 and listing <> 'unlisted'
       ), batch as (
         select f.id, f.follower_id from follows f join post on f.followee_id = post.user_id
         where f.id > $2 order by f.id limit $3
       ), told as (
         insert into notifications (user_id, kind, actor_id, post_id)
         select batch.follower_id, 'post', post.user_id, post.id
         from batch cross join post join notification_settings wishes on wishes.user_id = batch.follower_id
         where not 'post' = any(wishes.unwanted)
           and not exists (select from mutes where muter_id = batch.follower_id and muted_id = post.user_id)
         order by batch.follower_id on conflict do nothing returning user_id
       )
       select (select max(id) from batch) as last, array(select user_id from told) as told`,
      [postId, after, limit],
    );
    return row ?? { last: null, told: [] };
  }

  /** Removes all but the latest `MAX_NOTIFICATIONS` notifications of new posts of some accounts. */
  async removeOldPosts(tx: Transaction, userIds: readonly number[]): Promise<void> {
    await tx.query(
      `delete from notifications where id in (
         select old.id from unnest($1::bigint[]) as told (user_id) cross join lateral (
           select id from notifications where user_id = told.user_id and kind = 'post' order by id desc offset $2
         ) as old)`,
      [userIds, MAX_NOTIFICATIONS],
    );
  }

  /** Locks up to `limit` accounts that may get a mail now, and have notifications for it; others don't get them meanwhile. */
  async takeMailDue(tx: Transaction, limit: number): Promise<readonly { readonly userId: number }[]> {
    return tx.query<{ userId: number }>(
      `select user_id as "userId" from notification_settings wishes
       where mail <> 'never' and mailed_at < now() - case mail when 'hourly' then interval '1 hour' else interval '1 day' end
         and exists (select from notifications n where n.user_id = wishes.user_id and ${FOR_MAIL})
       order by mailed_at limit $1 for update skip locked`,
      [limit],
    );
  }

  /** The latest notifications of an account that its next mail tells of, at most `limit`, and how many there are in all. */
  findForMail(tx: Transaction, userId: number, limit: number): Promise<MailedNotification[]> {
    return tx.query<MailedNotification>(
      `select n.id, n.kind, actor.username as "actor", n.detail, count(*) over ()::integer as "total",
              case when ${SHOWS_POST} then p.title end as "title"
       from notifications n
       join notification_settings wishes on wishes.user_id = n.user_id
       left join users actor on actor.id = n.actor_id and actor.deleted_at is null
       left join posts p on p.id = n.post_id
       where n.user_id = $1 and ${FOR_MAIL} order by n.id desc limit $2`,
      [userId, limit],
    );
  }

  /** Records that an account was sent a mail of its notifications up to `upTo`. */
  async recordMail(tx: Transaction, userId: number, upTo: number): Promise<void> {
    await tx.query(
      'update notification_settings set mailed_at = now(), mailed_up_to = $2 where user_id = $1',
      [userId, upTo],
    );
  }

  /** Removes the notifications that `actorId` has caused for `userId`; with `onlyFollows` only those of follows. */
  async removeBetween(tx: Transaction, userId: number, actorId: number, onlyFollows: boolean): Promise<void> {
    await tx.query(
      `delete from notifications where user_id = $1 and actor_id = $2 and (not $3 or kind = 'follow')`,
      [userId, actorId, onlyFollows],
    );
  }

  async removeOfComment(tx: Transaction, commentId: number): Promise<void> {
    await tx.query('delete from notifications where comment_id = $1', [commentId]);
  }

  /** Removes up to `limit` notifications to or by a user, and the settings; returns how many were found. */
  async removeOf(tx: Transaction, userId: number, limit: number): Promise<number> {
    await tx.query('delete from notification_settings where user_id = $1', [userId]);
    const rows = await tx.query(
      `delete from notifications where id in (
         (select id from notifications where user_id = $1 limit $2)
         union (select id from notifications where actor_id = $1 limit $2)
       ) returning id`,
      [userId, limit],
    );
    return rows.length;
  }
}
