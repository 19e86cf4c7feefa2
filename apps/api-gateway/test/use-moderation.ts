import { randomBytes } from 'node:crypto';
import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { type MediaFields, storeMedia, type StoredMedia } from './stored';
import { useSharedGateway } from './use-gateway';

export type Item = Readonly<Record<string, unknown>>;

/** Uses a gateway with an author of content, another account and a moderator. */
export function useModeration() {
  const used = useSharedGateway();
  let author: Person;
  let stranger: Person;
  let moderator: Person;
  beforeAll(async () => {
    author = await createPerson(used.database);
    stranger = await createPerson(used.database);
    moderator = await createPerson(used.database, { role: 'moderator' });
  });

  const asModerator = (method: string, path: string, body?: unknown): Promise<Answer> =>
    used.gateway.ask(method, `/moderation${path}`, {
      token: moderator.session,
      ...(body !== undefined && { body }),
    });
  return {
    get gateway() {
      return used.gateway;
    },
    get database() {
      return used.database;
    },
    get author() {
      return author;
    },
    get stranger() {
      return stranger;
    },
    get moderator() {
      return moderator;
    },
    asModerator,
    rule: (path: string, status: string, more: object = {}): Promise<Answer> =>
      asModerator('POST', path, { status, reason: `It is ${status}.`, ...more }),
    list: async (path: string): Promise<Item[]> => (await asModerator('GET', path)).body['data'] as Item[],
    addMedia: (fields?: MediaFields): Promise<StoredMedia> => storeMedia(used.database, author, fields),
    makePost: async (media: readonly StoredMedia[]): Promise<{ slug: string; id: number }> => {
      const { body } = await used.gateway.ask('POST', '/posts', {
        token: author.session,
        body: { media_ids: media.map(({ id }) => id) },
      });
      return body['post'] as { slug: string; id: number };
    },
    report: (type: string, target: string | number, by = stranger): Promise<Answer> =>
      used.gateway.ask('POST', '/reports', {
        token: by.session,
        body: { type, target, reason: 'abuse', details: 'Look' },
      }),
  };
}

export const hex = (): string => randomBytes(32).toString('hex');
