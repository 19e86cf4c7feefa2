import { randomBytes } from 'node:crypto';
import type { Answer } from './gateway';
import { createPerson } from './people';
import { type MediaFields, storeMedia, type StoredMedia } from './stored';
import { useSharedGateway } from './use-gateway';

export type Item = Readonly<Record<string, unknown>>;

/** Uses a gateway with an author of content, another account and a moderator. */
export function useModeration() {
  const used = useSharedGateway(async (database) => ({
    author: await createPerson(database),
    stranger: await createPerson(database),
    moderator: await createPerson(database, { role: 'moderator' }),
  }));

  const asModerator = (method: string, path: string, body?: unknown): Promise<Answer> =>
    used.gateway.ask(method, `/moderation${path}`, {
      token: used.moderator.session,
      ...(body !== undefined && { body }),
    });
  return Object.assign(used, {
    asModerator,
    rule: (path: string, status: string, more: object = {}): Promise<Answer> =>
      asModerator('POST', path, { status, reason: `It is ${status}.`, ...more }),
    list: async (path: string): Promise<Item[]> => (await asModerator('GET', path)).body['data'] as Item[],
    addMedia: (fields?: MediaFields): Promise<StoredMedia> => storeMedia(used.database, used.author, fields),
    makePost: async (media: readonly StoredMedia[]): Promise<{ slug: string; id: number }> => {
      const { body } = await used.gateway.ask('POST', '/posts', {
        token: used.author.session,
        body: { media_ids: media.map(({ id }) => id) },
      });
      return body['post'] as { slug: string; id: number };
    },
    report: (type: string, target: string | number, by = used.stranger): Promise<Answer> =>
      used.gateway.ask('POST', '/reports', {
        token: by.session,
        body: { type, target, reason: 'abuse', details: 'Look' },
      }),
  });
}

export const hex = (): string => randomBytes(32).toString('hex');
