/** What notifications tell of. `account` tells of changes of the account by staff. */
export const NOTIFICATION_KINDS = ['comment', 'reply', 'follow', 'moderation', 'account'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** The kinds that an account can turn off. */
export const OPTIONAL_NOTIFICATION_KINDS = ['comment', 'reply', 'follow', 'moderation'] as const;
export type OptionalNotificationKind = (typeof OPTIONAL_NOTIFICATION_KINDS)[number];

/** The largest number of notifications of one kind that an account keeps; older ones are removed. */
export const MAX_NOTIFICATIONS = 500;
