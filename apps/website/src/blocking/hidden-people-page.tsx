import type { AnswerOf } from '@vitrine/client';
import { Pager } from '../components/pager';
import { PersonRow } from '../components/person-row';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import { Page } from '../results/page';
import { SettingsFrame } from '../settings/settings-frame';

/** What differs between the two lists. */
const LISTS = {
  blocks: {
    path: '/settings/blocks',
    title: 'Blocked people',
    empty: 'You block nobody.',
    since: 'Blocked',
    end: 'unblock',
    button: 'Unblock',
    about: 'You and the people you block do not see each other. Block somebody on their profile.',
  },
  mutes: {
    path: '/settings/mutes',
    title: 'Muted people',
    empty: 'You mute nobody.',
    since: 'Muted',
    end: 'unmute',
    button: 'Unmute',
    about: 'Lists and notifications leave out the people you mute. They do not notice it.',
  },
} as const;

/** The people whom the viewer blocks or mutes, each with a button that ends it. */
export function hiddenPeoplePage(
  kind: keyof typeof LISTS,
  { data, links, meta }: AnswerOf<'listBlocks'>,
): Page {
  const { path, title, empty, since, end, button, about } = LISTS[kind];
  return new Page({
    title,
    styles: ['account.css', 'profile.css'],
    head: { robots: 'noindex' },
    body: (
      <SettingsFrame tab={path}>
        <h2>{title}</h2>
        <p class="small quiet">{about}</p>
        {data.length === 0 ? (
          <p class="empty">{empty}</p>
        ) : (
          <ul class="plain-list profile-list">
            {data.map((person) => (
              <PersonRow
                person={person}
                action={
                  <PostForm action={`/u/${encodeURIComponent(person.username)}/${end}`}>
                    <input type="hidden" name="next" value={path} />
                    <button class="button">
                      {button}
                      <span class="visually-hidden"> {person.username}</span>
                    </button>
                  </PostForm>
                }
              >
                {since} <RelativeTime at={person.since} />
              </PersonRow>
            ))}
          </ul>
        )}
        <Pager meta={meta} links={links} path={path} />
      </SettingsFrame>
    ),
  });
}
