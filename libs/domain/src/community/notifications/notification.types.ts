import type {
  ModerationStatus,
  NotificationKind,
  NotificationMails,
  OptionalNotificationKind,
} from '@vitrine/contracts';

/** A notification to add. */
export interface NewNotification {
  /** Who receives it; nothing happens for null, which guests' items have as their owner. */
  readonly userId: number | null;
  readonly kind: NotificationKind;
  /** Who caused it; null for moderators and the operator, who stay unnamed. */
  readonly actorId: number | null;
  /** The post, media item and comment that it is about. It is removed with them. */
  readonly postId?: number | null;
  readonly mediaId?: number | null;
  readonly commentId?: number | null;
  readonly detail?: NotificationDetail | null;
}

/** What a notification says besides its subject. */
export interface NotificationDetail {
  /** For `moderation`: the status before and after. */
  readonly from?: ModerationStatus;
  readonly to?: ModerationStatus;
  /** For `account`: one whole sentence for the account's owner. */
  readonly message?: string;
}

/** A notification as it is stored. */
export interface NotificationRow {
  readonly id: number;
  readonly kind: NotificationKind;
  readonly actorId: number | null;
  readonly detail: NotificationDetail | null;
  readonly createdAt: Date;
  readonly read: boolean;
  readonly post: { readonly slug: string; readonly title: string | null } | null;
  readonly media: { readonly slug: string } | null;
  readonly comment: { readonly id: number; readonly content: string } | null;
}

/** What an account has chosen: the kinds that it doesn't want, and how often it wants mails. */
export interface Wishes {
  readonly unwanted: readonly OptionalNotificationKind[];
  readonly mail: NotificationMails;
}

/** The result of one batch of telling followers of a post. */
export interface Announced {
  /** The id of the last follow in the batch; null if there was none. */
  readonly last: number | null;
  /** The accounts that got a notification. */
  readonly told: readonly number[];
}

/** A notification as a mail tells of it. */
export interface MailedNotification {
  readonly id: number;
  readonly kind: Exclude<NotificationKind, 'account'>;
  /** The username of who caused it. */
  readonly actor: string | null;
  readonly detail: NotificationDetail | null;
  /** The title of the post, unless it is private. */
  readonly title: string | null;
  /** The number of all notifications that the mail tells of. */
  readonly total: number;
}
