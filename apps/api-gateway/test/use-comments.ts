import { randomSlug } from '@vitrine/domain';
import type { Answer } from './gateway';
import { createPerson, type Person } from './people';
import { useGateway } from './use-gateway';

/** Access key of the private posts. */
export const KEY = 'Sesame0123456789Sesame0123456789';

export interface Shown {
  readonly id: number;
  readonly content: string;
  readonly post?: { readonly slug: string; readonly title: string | null };
}
export interface Page {
  readonly data: Shown[];
  readonly links: Record<string, string | null>;
  readonly meta: Record<string, unknown>;
}
export interface Post {
  readonly id: number;
  readonly slug: string;
}

/** Uses a gateway with an owner of posts, two accounts that comment, and a moderator. */
export function useComments() {
  const used = useGateway({ PUBLIC_API_URL: 'https://example.org/api/v1' }, async (database) => ({
    owner: await createPerson(database),
    ada: await createPerson(database),
    bob: await createPerson(database),
    moderator: await createPerson(database, { role: 'moderator' }),
  }));

  const write = (
    post: string | number,
    person: Person | undefined,
    body: object = { content: 'Nice.' },
    query = '',
  ): Promise<Answer> => used.gateway.ask('POST', `/posts/${post}/comments${query}`, { ...as(person), body });
  return Object.assign(used, {
    createPost: async (fields: { visibility?: string; status?: string } = {}): Promise<Post> => {
      const slug = randomSlug();
      const { visibility = 'public', status = 'approved' } = fields;
      const { rows } = await used.database.query<{ id: string }>(
        `insert into posts (slug, user_id, title, visibility, moderation_status, access_key)
         values ($1, $2, 'A title', $3, $4, $5) returning id`,
        [slug, used.owner.id, visibility, status, visibility === 'private' ? KEY : null],
      );
      return { id: Number(rows[0]?.id), slug };
    },
    write,
    comment: async (post: Post, person: Person, parentId?: number): Promise<number> => {
      const { status, body } = await write(post.slug, person, {
        content: `By ${person.username}`,
        ...(parentId !== undefined && { parent_id: parentId }),
      });
      expect(status).toBe(201);
      return (body['comment'] as Shown).id;
    },
    remove: (id: number | string, person: Person | undefined, query = ''): Promise<Answer> =>
      used.gateway.ask('DELETE', `/comments/${id}${query}`, as(person)),
    list: async (post: Post, query = '', person?: Person): Promise<Page> =>
      (await used.gateway.ask<Page>('GET', `/posts/${post.slug}/comments${query}`, as(person))).body,
  });
}

export const as = (person: Person | undefined) => (person ? { token: person.session } : {});
export const ids = ({ data }: Page): number[] => data.map(({ id }) => id);
