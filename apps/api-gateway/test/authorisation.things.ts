import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Gateway } from './gateway';
import type { Person } from './people';

/** Where a case takes place. */
export interface World {
  readonly gateway: Gateway;
  readonly database: Client;
  /** To whom the thing belongs that the case is about. */
  readonly owner: Person;
}

/** What fills the gaps of an operation's path and body: ids, slugs and names by the names of parameters. */
export type Given = Readonly<Record<string, string | number>>;

/** Stores a media as the upload and the processing leave it. */
async function storeMedia(
  { database, owner }: World,
  status = 'approved',
): Promise<{ slug: string; id: number }> {
  const slug = `a${randomBytes(3).toString('hex')}`;
  const { rows } = await database.query<{ id: string }>(
    `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256,
       stored_sha256, moderation_status)
     values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 640, 480, 12345, sha256('a'), sha256('b'), $3)
     returning id`,
    [slug, owner.id, status],
  );
  return { slug, id: Number(rows[0]?.id) };
}

async function storeToken({ database, owner }: World): Promise<Given> {
  await owner.mintToken();
  const { rows } = await database.query<{ id: string }>(
    `select id from tokens where user_id = $1 and kind = 'api' order by id desc limit 1`,
    [owner.id],
  );
  return { id: Number(rows[0]?.id) };
}

/** What operations are carried out on, made anew for each case: rows of the table name one of these. */
export const THINGS = {
  nothing: async (): Promise<Given> => ({}),
  'own account': async ({ owner }: World): Promise<Given> => ({ username: owner.username }),
  'own media': async (world: World): Promise<Given> => ({ slug: (await storeMedia(world)).slug }),
  'own rejected media': async (world: World): Promise<Given> => ({
    slug: (await storeMedia(world, 'rejected')).slug,
  }),
  'own token': storeToken,
} satisfies Readonly<Record<string, (world: World) => Promise<Given>>>;

export type Thing = keyof typeof THINGS;
