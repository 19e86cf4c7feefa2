import { Injectable } from '@nestjs/common';
import { MAX_NOTIFICATIONS, type NotificationKind, type OptionalNotificationKind } from '@vitrine/contracts';
import { Database, type Transaction } from '@vitrine/database';
import type { NewNotification, NotificationRow } from './notification.types';

/** Every query on the tables `notifications` and `notification_settings`. */
@Injectable()
export class NotificationRepository {
  constructor(private readonly database: Database) {}

  /**
   * Adds a notification, unless its receiver is a guest or deleted, doesn't want its kind, or mutes or blocks who caused it
   * or is blocked by them. Returns whether it was added.
   */
  async insert(tx: Transaction, userId: number, notification: NewNotification): Promise<boolean> {
    const { kind, actorId, postId = null, mediaId = null, commentId = null, detail = null } = notification;
    const rows = await tx.query(
      `insert into notifications (user_id, kind, actor_id, post_id, media_id, comment_id, detail)
       select id, $2, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::json
       from (select id from users where id = $1 and deleted_at is null and kind = 'member' for key share) as receiver
       where not exists (select from notification_settings where user_id = $1 and $2 = any(unwanted))
         and not exists (select from mutes where muter_id = $1 and muted_id = $3)
         and not blocked_between($1, $3)
       on conflict do nothing returning id`,
      [userId, kind, actorId, postId, mediaId, commentId, detail === null ? null : JSON.stringify(detail)],
    );
    return rows.length > 0;
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

  /** One page of an account's notifications, the latest first. The title of a post that isn't public is left out. */
  findPage(
    userId: number,
    unreadOnly: boolean,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<NotificationRow[]> {
    return this.database.read<NotificationRow>(
      `select n.id, n.kind, n.actor_id as "actorId", n.detail, n.created_at as "createdAt",
              n.read_at is not null as read,
              case when p.id is not null then json_build_object('slug', p.slug, 'title',
                case when p.user_id = $1 or (p.visibility <> 'private' and p.moderation_status <> 'rejected') then p.title end
              ) end as post,
              case when m.id is not null then json_build_object('slug', m.slug) end as media,
              case when c.id is not null then json_build_object('id', c.id, 'content',
                case when p.user_id = $1 or (p.visibility <> 'private' and p.moderation_status <> 'rejected') then c.content
                     else '' end
              ) end as comment
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
  async markRead(tx: Transaction, userId: number, id: number): Promise<boolean> {
    const rows = await tx.query(
      `with marked as (
         update notifications set read_at = coalesce(read_at, now()) where id = $2 and user_id = $1 returning id
       )
       select id from marked`,
      [userId, id],
    );
    return rows.length > 0;
  }

  /** Marks the notifications of an account as read; if `upTo` is given, only those with ids up to it. */
  async markAllRead(tx: Transaction, userId: number, upTo: number | null): Promise<void> {
    await tx.query(
      `update notifications set read_at = now()
       where user_id = $1 and read_at is null and ($2::bigint is null or id <= $2)`,
      [userId, upTo],
    );
  }

  async findUnwanted(userId: number): Promise<readonly OptionalNotificationKind[]> {
    const [row] = await this.database.read<{ unwanted: OptionalNotificationKind[] }>(
      'select unwanted from notification_settings where user_id = $1',
      [userId],
    );
    return row?.unwanted ?? [];
  }

  async setUnwanted(
    tx: Transaction,
    userId: number,
    unwanted: readonly OptionalNotificationKind[],
  ): Promise<void> {
    await tx.query(
      `insert into notification_settings (user_id, unwanted) values ($1, $2)
       on conflict (user_id) do update set unwanted = excluded.unwanted`,
      [userId, unwanted],
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
      `with gone as (
         delete from notifications where id in (
           (select id from notifications where user_id = $1 limit $2)
           union (select id from notifications where actor_id = $1 limit $2)
         ) returning id
       )
       select id from gone`,
      [userId, limit],
    );
    return rows.length;
  }
}
