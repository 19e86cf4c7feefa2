import { Injectable } from '@nestjs/common';
import {
  type ModerationStatus,
  OPTIONAL_NOTIFICATION_KINDS,
  type OptionalNotificationKind,
} from '@vitrine/contracts';
import type { NotificationListQuery } from '@vitrine/contracts/api';
import { type Transaction, Database } from '@vitrine/database';
import type { Author } from '../../accounts/authors/author.types';
import { AuthorsService } from '../../accounts/authors/authors.service';
import { NotFoundError } from '../../base/errors/domain-error';
import { mentionedIn } from './mentions.rules';
import { NotificationRepository } from './notification.repository';
import type { MailedNotification, NewNotification, NotificationRow, Wishes } from './notification.types';

/** A notification with the user who caused it. */
export interface NotificationView {
  readonly notification: NotificationRow;
  readonly actor: Author | null;
}

/** One page of an account's notifications. */
export interface NotificationPage {
  readonly items: readonly NotificationView[];
  /** The number of notifications in the whole list. */
  readonly total: number;
  /** The number of all unread notifications. */
  readonly unread: number;
}

/** Which kinds of notifications an account wants. */
export type NotificationSettings = Readonly<Record<OptionalNotificationKind, boolean>> & Pick<Wishes, 'mail'>;

/** A decision on something, for its owner. */
export interface Decided {
  readonly ownerId: number | null;
  readonly postId?: number;
  readonly mediaId?: number;
  readonly from: ModerationStatus;
  readonly to: ModerationStatus;
  /** Whether a moderator has decided, not the automatic check. */
  readonly byPerson: boolean;
}

/**
 * Notifications in the site. They are written in the transaction of their cause, so that both exist or neither, and are
 * deleted with it. A consumer of bus events would write them late, and could not delete them together with their cause.
 */
@Injectable()
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly repository: NotificationRepository,
    private readonly authors: AuthorsService,
  ) {}

  /**
   * Adds a notification within the caller's transaction. Does nothing if its receiver caused it, is a guest or deleted,
   * doesn't want its kind, or does not see who caused it. To be called after every other lock is taken, because it locks
   * the row of its receiver.
   */
  async add(tx: Transaction, notification: NewNotification): Promise<void> {
    const { userId, actorId, kind } = notification;
    if (userId === null || userId === actorId) return;
    if (await this.repository.insert(tx, userId, notification)) {
      await this.repository.removeOld(tx, userId, kind);
    }
  }

  /** The ids of the members whom a text names with `@`, without those in `before`, in their order. */
  findMentioned(text: string | null, before: string | null = null): Promise<readonly number[]> {
    return this.authors.findUserIds(mentionedIn(text, before));
  }

  /**
   * Tells the owner of a decision that changes who sees something. An approval by the automatic check is what owners
   * expect, and a return to `pending` is no result: there is no notification of either.
   */
  async addDecision(tx: Transaction, { ownerId, from, to, byPerson, ...subject }: Decided): Promise<void> {
    if (from === to || to === 'pending' || (to === 'approved' && !byPerson)) return;
    await this.add(tx, {
      userId: ownerId,
      kind: 'moderation',
      actorId: null,
      ...subject,
      detail: { from, to },
    });
  }

  /** One page of an account's notifications, the latest first. */
  async findPage(
    userId: number,
    { page, limit, unread: unreadOnly = false }: NotificationListQuery,
  ): Promise<NotificationPage> {
    const part = { limit, offset: (page - 1) * limit };
    const [{ total, unread }, rows] = await Promise.all([
      this.repository.count(userId),
      this.repository.findPage(userId, unreadOnly, part),
    ]);
    const authors = await this.authors.findAuthors(rows.map(({ actorId }) => actorId));
    const items = rows.map((notification) => ({
      notification,
      actor: notification.actorId === null ? null : (authors.get(notification.actorId) ?? null),
    }));
    return { items, total: unreadOnly ? unread : total, unread };
  }

  /** The number of unread notifications of an account. */
  countUnread(userId: number): Promise<number> {
    return this.repository.countUnread(userId);
  }

  /** Marks a notification as read. Idempotent. Throws `NotFoundError` for one that the account doesn't have. */
  async markRead(userId: number, id: number): Promise<void> {
    const found = await this.database.transaction((tx) => this.repository.markRead(tx, userId, id));
    if (!found) throw new NotFoundError();
  }

  /** Marks all notifications as read; if `upTo` is given, only those with ids up to it. Idempotent. */
  async markAllRead(userId: number, upTo: number | null): Promise<void> {
    await this.database.transaction((tx) => this.repository.markAllRead(tx, userId, upTo));
  }

  /** Which kinds an account wants, and how often by mail. */
  async findSettings(userId: number): Promise<NotificationSettings> {
    return settingsOf(await this.repository.findWishes(userId));
  }

  /** Changes the settings of an account; those that aren't named stay unchanged. Returns the settings after that. */
  async changeSettings(
    userId: number,
    changes: Partial<NotificationSettings>,
  ): Promise<NotificationSettings> {
    return this.database.transaction(async (tx) => {
      await this.authors.holdLiving(tx, userId);
      const kinds = (wanted: boolean) =>
        OPTIONAL_NOTIFICATION_KINDS.filter((kind) => changes[kind] === wanted);
      const wishes = { wanted: kinds(true), unwanted: kinds(false), mail: changes.mail };
      return settingsOf(await this.repository.changeWishes(tx, userId, wishes));
    });
  }

  /**
   * Tells the next `limit` followers of a post's author of the post, those who want it. `after` is the id of the last follow
   * that is done. Returns the id of the last one in this batch; null after the end.
   */
  async announce(tx: Transaction, postId: number, after: number, limit: number): Promise<number | null> {
    const { last, told } = await this.repository.insertForFollowers(tx, postId, after, limit);
    if (told.length > 0) await this.repository.removeOldPosts(tx, told);
    return last;
  }

  /** Locks up to `limit` accounts that may get a mail now, and have notifications for it. */
  takeMailDue(tx: Transaction, limit: number): Promise<readonly { readonly userId: number }[]> {
    return this.repository.takeMailDue(tx, limit);
  }

  /** The latest notifications of an account that its next mail tells of, at most `limit`. */
  findForMail(tx: Transaction, userId: number, limit: number): Promise<readonly MailedNotification[]> {
    return this.repository.findForMail(tx, userId, limit);
  }

  /** Records that an account was sent a mail of its notifications up to `upTo`. */
  recordMail(tx: Transaction, userId: number, upTo: number): Promise<void> {
    return this.repository.recordMail(tx, userId, upTo);
  }

  /** Removes the notifications that an account has caused for another, because the other doesn't see it any more. */
  removeBetween(tx: Transaction, userId: number, actorId: number): Promise<void> {
    return this.repository.removeBetween(tx, userId, actorId, false);
  }

  /** Removes the notification of a follow that has ended. */
  removeFollow(tx: Transaction, followeeId: number, followerId: number): Promise<void> {
    return this.repository.removeBetween(tx, followeeId, followerId, true);
  }

  /** Removes the notifications of a comment that stays as a tombstone; those of others go with their rows. */
  removeOfComment(tx: Transaction, commentId: number): Promise<void> {
    return this.repository.removeOfComment(tx, commentId);
  }

  /** Removes up to `batch` notifications to or by a deleted account. Returns 0 if none are left. */
  eraseNotificationsOf(userId: number, batch: number): Promise<number> {
    return this.database.transaction((tx) => this.repository.removeOf(tx, userId, batch));
  }
}

const settingsOf = ({ unwanted, mail }: Wishes): NotificationSettings => ({
  comment: !unwanted.includes('comment'),
  reply: !unwanted.includes('reply'),
  mention: !unwanted.includes('mention'),
  follow: !unwanted.includes('follow'),
  post: !unwanted.includes('post'),
  moderation: !unwanted.includes('moderation'),
  mail,
});
