import type { AnswerOf, Page, VitrineClient } from '@vitrine/client';

/** The tabs of a profile by the last part of their path; the first tab has no such part. */
export const TABS = {
  posts: 'Posts',
  media: 'Media',
  comments: 'Comments',
  followers: 'Followers',
  following: 'Following',
} as const;

export type TabName = keyof typeof TABS;

/** One page of a tab's list. */
export type TabContent =
  | { readonly tab: 'posts'; readonly list: AnswerOf<'listUserPosts'> }
  | { readonly tab: 'media'; readonly list: AnswerOf<'listUserMedia'> }
  | { readonly tab: 'comments'; readonly list: AnswerOf<'listUserComments'> }
  | { readonly tab: 'followers'; readonly list: AnswerOf<'listFollowers'> }
  | { readonly tab: 'following'; readonly list: AnswerOf<'listFollowing'> };

export const isTab = (text: string): text is TabName => Object.hasOwn(TABS, text);

/** Path of a tab of a user's profile. */
export const tabPath = (username: string, tab: TabName): string =>
  `/u/${username}${tab === 'posts' ? '' : `/${tab}`}`;

/** Number of items on a page of each tab. */
const LIMITS = { posts: 30, media: 30, comments: 20, followers: 50, following: 50 } as const;

interface TabQuery {
  readonly page: number;
  readonly nsfw: boolean;
}

/** Loads a page of a tab. Throws `VitrineError`. */
export async function loadTab(
  api: VitrineClient,
  username: string,
  tab: TabName,
  query: TabQuery,
): Promise<TabContent> {
  const { users } = api;
  const [paged, marked] = [
    { limit: LIMITS[tab], page: query.page },
    { limit: LIMITS[tab], page: query.page, nsfw: query.nsfw },
  ];
  switch (tab) {
    case 'posts':
      return { tab, list: await users.posts(username).list(marked) };
    case 'media':
      return { tab, list: await users.media(username).list(marked) };
    case 'comments':
      return { tab, list: await users.comments(username).list(marked) };
    case 'followers':
      return { tab, list: await users.followers(username).list(paged) };
    case 'following':
      return { tab, list: await users.following(username).list(paged) };
  }
}

/** The total number of items. */
export const totalOf = ({ list }: TabContent): number => (list as Page<unknown>).meta.total;
