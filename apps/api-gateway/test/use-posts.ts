import { type Answer, type Ask } from './gateway';
import { createPerson } from './people';
import { storeMedia, type StoredMedia } from './stored';
import { useSharedGateway } from './use-gateway';

/** A created post, with its media. */
export interface MadePost {
  readonly id: number;
  readonly slug: string;
  readonly access_key?: string;
  readonly media: readonly StoredMedia[];
}

/**
 * Uses a gateway with an owner of posts, a token of theirs with every scope, and another account. Requests are sent as the
 * owner unless `ask` says otherwise.
 */
export function usePosts() {
  const used = useSharedGateway(async (database) => {
    const owner = await createPerson(database);
    const stranger = await createPerson(database);
    return { owner, stranger, token: await owner.mintToken() };
  });

  const media = async (count: number): Promise<StoredMedia[]> => {
    const stored: StoredMedia[] = [];
    while (stored.length < count) stored.push(await storeMedia(used.database, used.owner));
    return stored;
  };
  const post = (body: unknown, ask: Ask = { token: used.token }): Promise<Answer> =>
    used.gateway.ask('POST', '/posts', { ...ask, body });
  return Object.assign(used, {
    media,
    post,
    patch: (reference: string | number, body: unknown, ask: Ask = { token: used.token }): Promise<Answer> =>
      used.gateway.ask('PATCH', `/posts/${reference}`, { ...ask, body }),
    get: (path: string, ask: Ask = {}): Promise<Answer> => used.gateway.ask('GET', `/posts/${path}`, ask),
    /** Creates a post of `count` media of the owner. */
    make: async (count = 1, fields: object = {}): Promise<MadePost> => {
      const own = await media(count);
      const answer = await post({ media_ids: own.map(({ id }) => id), ...fields });
      expect(answer.status).toBe(201);
      return { ...(answer.body['post'] as Omit<MadePost, 'media'>), media: own };
    },
  });
}

/** A text for a value that is short enough for the title of a test. */
export const nameOf = (value: unknown): string => JSON.stringify(value).slice(0, 70);
export const dataOf = (answer: Answer) => answer.body['data'] as Record<string, unknown>;
export const errorsOf = (answer: Answer) => [answer.status, answer.body['errors']];
export const slugsIn = (data: Record<string, unknown>) =>
  (data['media'] as { slug: string }[]).map(({ slug }) => slug);
