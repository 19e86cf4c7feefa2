import type { AnswerOf } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Avatar } from '../components/avatar';
import { Icon } from '../components/icon';
import { Pager } from '../components/pager';
import { pluralize } from '../components/words';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import { commentPath, postPath } from '../links/paths';
import { Page } from '../results/page';

type Notifications = AnswerOf<'listNotifications'>;
type Notification = Notifications['data'][number];

const PATH = '/notifications';

/** The viewer's notifications. */
export const notificationsPage = (list: Notifications, page: number): Page =>
  new Page({
    title: 'Notifications',
    styles: ['profile.css', 'notifications.css'],
    head: { robots: 'noindex' },
    body: <List list={list} page={page} />,
  });

function List({
  list: { data, unread, meta, links },
  page,
}: {
  readonly list: Notifications;
  readonly page: number;
}): JSX.Element {
  const latest = data[0];
  return (
    <>
      <div class="notifications-head">
        <h1>Notifications</h1>
        <a href="/settings/notifications">Settings</a>
      </div>
      {unread > 0 && latest && page === 1 && (
        <PostForm action={`${PATH}/read`} class="row">
          <p>{pluralize(unread, 'unread notification')}</p>
          <input type="hidden" name="up_to" value={latest.id} />
          <button class="button">Mark all as read</button>
        </PostForm>
      )}
      {data.length === 0 ? (
        <p class="empty">{meta.total > 0 ? 'There are no more pages.' : 'You have no notifications.'}</p>
      ) : (
        <ul class="plain-list notifications">
          {data.map((notification) => (
            <Entry notification={notification} />
          ))}
        </ul>
      )}
      <Pager meta={meta} links={links} path={PATH} />
    </>
  );
}

function Entry({ notification }: { readonly notification: Notification }): JSX.Element {
  const { id, read, user, created_at: at, comment } = notification;
  return (
    <li class={read ? 'notification' : 'notification unread'}>
      {user ? <Avatar user={user} size={40} /> : <Icon name="shield" size={40} />}
      <div>
        <p>
          {!read && <span class="visually-hidden">Unread: </span>}
          <Sentence notification={notification} />
        </p>
        {comment !== null && comment.content !== '' && (
          <p class="quiet notification-text">{comment.content}</p>
        )}
        <p class="small quiet">
          <RelativeTime at={at} />
        </p>
      </div>
      {!read && (
        <PostForm action={`${PATH}/${id}/read`}>
          <button class="icon-button" title="Mark as read">
            <Icon name="check" />
            <span class="visually-hidden">Mark as read</span>
          </button>
        </PostForm>
      )}
    </li>
  );
}

/** What has happened, in one sentence. */
function Sentence({ notification }: { readonly notification: Notification }): JSX.Element {
  const { kind, post, media, comment, moderation_status: status, message } = notification;
  const to = (path: string): string => openPath(notification, path);
  switch (kind) {
    case 'comment':
    case 'reply':
    case 'mention':
    case 'post':
      return (
        <>
          <Person notification={notification} /> {DEEDS[kind]}{' '}
          {post ? (
            <a
              href={to(
                comment ? commentPath({ slug: post.slug, key: undefined }, comment.id) : postPath(post.slug),
              )}
            >
              <PostTitle>{post.title}</PostTitle>
            </a>
          ) : (
            'a post that you can no longer see'
          )}
        </>
      );
    case 'follow':
      return (
        <>
          <Person notification={notification} /> follows you.
        </>
      );
    case 'moderation':
      return (
        <>
          {post ? (
            <>
              Your post{' '}
              <a href={to(postPath(post.slug))}>
                <PostTitle>{post.title}</PostTitle>
              </a>
            </>
          ) : (
            <a href={to(`/m/${media?.slug ?? ''}`)}>Your picture or video</a>
          )}{' '}
          {OUTCOMES[status ?? 'pending']}
        </>
      );
    case 'account':
      return <>{message}</>;
  }
}

const OUTCOMES: Readonly<Record<NonNullable<Notification['moderation_status']>, string>> = {
  approved: 'was approved.',
  nsfw: 'was marked as adult content.',
  rejected: 'was rejected: nobody else can see it.',
  pending: 'is being checked.',
};

const DEEDS = {
  comment: 'commented on',
  reply: 'replied to your comment on',
  mention: 'mentioned you on',
  post: 'posted',
} as const;

/** The address that leads to `path` and marks an unread notification as read. */
const openPath = ({ id, read }: Notification, path: string): string =>
  read ? path : `${PATH}/${id}?${new URLSearchParams({ to: path }).toString()}`;

const Person = ({ notification }: { readonly notification: Notification }): JSX.Element => {
  const { user } = notification;
  if (!user) return <>Somebody</>;
  return <a href={openPath(notification, `/u/${user.username}`)}>{user.username}</a>;
};

const PostTitle = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <>{children === null ? 'an untitled post' : <>“{children}”</>}</>
);
