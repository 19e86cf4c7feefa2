import type { AnswerOf, User } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';
import { Avatar } from '../components/avatar';
import { pluralize } from '../components/words';
import { FollowButton } from '../components/follow-button';
import { HideMenu } from '../components/hide-menu';
import { Icon } from '../components/icon';
import { MediaGrid } from '../components/media-grid';
import { Pager } from '../components/pager';
import { PersonRow } from '../components/person-row';
import { feedMark } from '../links/feed-mark';
import { PostGrid } from '../components/post-grid';
import { RichText } from '../components/rich-text';
import { syndicationLinks } from '../links/syndication-links';
import { commentPath } from '../links/paths';
import { Page } from '../results/page';
import { useVisit } from '../components/visit-context';
import type { Viewer } from '../visits/viewers';
import { type TabContent, type TabName, tabPath, TABS, totalOf } from './profile-tabs';

interface ProfileProps {
  readonly user: User;
  readonly content: TabContent;
  /** The viewer, if this is their own profile. */
  readonly own: Viewer | null;
  readonly page: number;
}

export function profilePage(props: ProfileProps): Page {
  const { user, content, page } = props;
  const { username, bio, avatar } = user;
  const { tab } = content;
  const path = tabPath(username, tab);
  const about = bio ?? `Pictures and videos by ${username}.`;
  return new Page({
    title: tab === 'posts' ? username : `${TABS[tab]} · ${username}`,
    width: 'full',
    styles: ['profile.css'],
    scripts: ['profile.js', ...(tab === 'posts' || tab === 'media' ? ['grid.js'] : [])],
    head: {
      description: about,
      canonical: page === 1 ? path : `${path}?page=${page}`,
      robots: tab === 'posts' || tab === 'media' ? undefined : 'noindex',
      links: syndicationLinks(tabPath(username, 'posts'), `Posts of ${username}`),
      openGraph: [
        ['og:type', 'profile'],
        ['og:title', username],
        ['og:description', about],
        ['profile:username', username],
        ...(avatar === null ? [] : [['og:image', avatar] as const]),
      ],
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'ProfilePage',
          dateCreated: user.created_at,
          mainEntity: {
            '@type': 'Person',
            name: username,
            ...(bio !== null && { description: bio }),
            ...(avatar !== null && { image: avatar }),
          },
        },
      ],
    },
    body: <Profile {...props} />,
  });
}

function Profile({ user, content, own }: ProfileProps): JSX.Element {
  const path = tabPath(user.username, content.tab);
  return (
    <>
      <ProfileHead user={user} isOwn={own !== null} />
      <nav class="tabs profile-tabs" aria-label={`Sections of ${user.username}’s profile`}>
        {Object.entries(countsOf(user, own)).map(([tab, count]) => (
          <a
            href={tabPath(user.username, tab as TabName)}
            {...(tab === content.tab && { 'aria-current': 'page' as const })}
          >
            {TABS[tab as TabName]}
            {count !== null && <span class="count">{count.toLocaleString('en')}</span>}
          </a>
        ))}
      </nav>
      {own && (content.tab === 'posts' || content.tab === 'media') && totalOf(content) > 0 && (
        <p class="small quiet">
          You see everything here. Items that are marked pending, unlisted, private or rejected are not listed
          for others. <a href="/files">Find, change or delete many of your files</a>
        </p>
      )}
      <h2 class="visually-hidden">{TABS[content.tab]}</h2>
      {content.list.data.length > 0 ? (
        <Content content={content} username={user.username} />
      ) : (
        <Nothing content={content} isOwn={own !== null} path={path} />
      )}
      <Pager meta={content.list.meta} links={content.list.links} path={path} />
    </>
  );
}

interface ProfileHeadProps {
  readonly user: User;
  readonly isOwn: boolean;
}

function ProfileHead({ user, isOwn }: ProfileHeadProps): JSX.Element {
  const { visit } = useVisit();
  const { username, bio } = user;
  const report = new URLSearchParams({ type: 'user', target: username, next: visit.path });
  return (
    <header class="profile-head">
      <Avatar user={user} size={96} />
      <div class="profile-who">
        <h1>{username}</h1>
        <p class="small quiet">
          Joined <RelativeTime at={user.created_at} />
          {user.isMutedByUser && ' · Muted'}
        </p>
        {bio !== null && <RichText text={bio} />}
      </div>
      <div class="row">
        {isOwn ? (
          <a class="button" href="/settings">
            <Icon name="edit" />
            Edit profile
          </a>
        ) : (
          <>
            <FollowButton whom={user} following={user.isFollowedByUser} />
            <a class="icon-button" href={`/reports?${report.toString()}`} rel="nofollow" title="Report">
              <Icon name="flag" />
              <span class="visually-hidden">Report {username}</span>
            </a>
            <HideMenu username={username} isMuted={user.isMutedByUser} />
          </>
        )}
      </div>
    </header>
  );
}

/**
 * The number of items on each tab, if known without another request; for the owner including items that others can't
 * see.
 */
const countsOf = (user: User, own: Viewer | null): Readonly<Record<TabName, number | null>> => ({
  posts: (own ?? user).post_count,
  media: (own ?? user).media_count,
  comments: null,
  followers: user.follower_count,
  following: user.following_count,
});

interface ContentProps {
  readonly content: TabContent;
  readonly username: string;
}

function Content({ content, username }: ContentProps): JSX.Element {
  switch (content.tab) {
    case 'posts':
      return (
        <PostGrid
          posts={content.list.data}
          label={`Posts by ${username}`}
          mark={feedMark({ username })}
          eager={false}
        />
      );
    case 'media':
      return <MediaGrid media={content.list.data} label={`Media by ${username}`} eager={false} />;
    case 'comments':
      return (
        <List>
          {content.list.data.map((comment) => (
            <ProfileComment comment={comment} />
          ))}
        </List>
      );
    case 'followers':
    case 'following':
      return (
        <>
          <List>
            {content.list.data.map((person) => (
              <PersonRow person={person}>
                Followed <RelativeTime at={person.followed_at} />
              </PersonRow>
            ))}
          </List>
          {content.list.links.next === null && (content.list.meta.to ?? 0) < content.list.meta.total && (
            <p class="small quiet">People whom you muted or who can’t be shown are only counted.</p>
          )}
        </>
      );
  }
}

const List = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <ul class="plain-list profile-list">{children}</ul>
);

type UserComment = AnswerOf<'listUserComments'>['data'][number];

function ProfileComment({ comment }: { readonly comment: UserComment }): JSX.Element {
  const { post, score, replies_count: replies, edited_at: editedAt } = comment;
  return (
    <li class="profile-comment">
      <p class="small quiet">
        On{' '}
        <a href={commentPath({ slug: post.slug, key: undefined }, comment.id)}>
          {post.title ?? 'an untitled post'}
        </a>
        {' · '}
        <RelativeTime at={comment.created_at} />
        {editedAt !== null && (
          <>
            {' · edited '}
            <RelativeTime at={editedAt} />
          </>
        )}
      </p>
      <RichText text={comment.content} />
      <p class="small quiet">
        {pluralize(score, 'point')}
        {replies > 0 && ` · ${pluralize(replies, 'reply', 'replies')}`}
      </p>
    </li>
  );
}

interface NothingProps {
  readonly content: TabContent;
  readonly isOwn: boolean;
  readonly path: string;
}

/** The message for an empty tab. */
function Nothing({ content, isOwn, path }: NothingProps): JSX.Element {
  if (totalOf(content) > 0) {
    return (
      <p class="empty">
        There are no more pages. <a href={path}>Go to the first page</a>
      </p>
    );
  }
  if (isOwn && (content.tab === 'posts' || content.tab === 'media')) {
    return (
      <div class="empty">
        <p>You have not {content.tab === 'posts' ? 'posted' : 'uploaded'} anything yet.</p>
        <p>
          <a class="button primary" href="/upload">
            <Icon name="upload" />
            Upload a picture
          </a>
        </p>
      </div>
    );
  }
  return <p class="empty">{EMPTY[content.tab]}</p>;
}

const EMPTY: Readonly<Record<TabName, string>> = {
  posts: 'No posts yet.',
  media: 'No pictures or videos yet.',
  comments: 'No comments yet.',
  followers: 'No followers yet.',
  following: 'Not following anyone yet.',
};
