import { shorten } from '../../outgoing/mails/mail-text.rules';
import type { MailedNotification } from '../notifications/notification.types';

/** What somebody did, by the kind of the notification. */
const DEEDS: Readonly<Record<Exclude<MailedNotification['kind'], 'moderation'>, string>> = {
  comment: 'commented on',
  reply: 'replied to you on',
  mention: 'mentioned you on',
  follow: 'follows you',
  post: 'posted',
};

/** Characters of a title that a mail shows: the table of mails bounds their text. */
const MAX_TITLE = 80;

/** The text of a mail about notifications, the latest first; `total` of the first one counts all of them. */
export function summaryOf(news: readonly MailedNotification[]): string {
  const total = news[0]?.total ?? 0;
  const more = total - news.length;
  return [
    `You have ${total} new ${total === 1 ? 'notification' : 'notifications'}.`,
    ...news.map(sentenceOf),
    ...(more > 0 ? [`And ${more} more.`] : []),
    'You can choose in the settings of your account which notifications you get by mail.',
  ].join('\n');
}

function sentenceOf({ kind, actor, title, detail }: MailedNotification): string {
  if (kind === 'moderation')
    return `${title === null ? 'Your upload' : quoted(title)} is now ${detail?.to ?? 'decided'}.`;
  const subject = kind === 'follow' ? '' : ` ${title === null ? 'a post without a title' : quoted(title)}`;
  return `${actor ?? 'Somebody'} ${DEEDS[kind]}${subject}.`;
}

const quoted = (title: string): string => `“${shorten(title, MAX_TITLE)}”`;
