import { createTestDatabase, type ServiceProcess, startService, type TestDatabase } from '@vitrine/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { askUrl } from './gateway';
import { createPerson, type Person } from './people';
import { countStatements, type StatementCounter } from './statement-counter';

interface OpenApi {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly { readonly name: string }[] } }>
  >;
}
const { paths } = JSON.parse(readFileSync(join(__dirname, '../../../docs/openapi.json'), 'utf8')) as OpenApi;
/** Without the challenge of a proof of work, which exists only on sites that need one. */
/** Requires `q`. */
const isSearch = (path: string): boolean => path === '/users' || path === '/search/suggest';
const GETS = Object.entries(paths).flatMap(([path, { get }]) =>
  get && path !== '/auth/proof-of-work'
    ? [{ path, names: get.parameters?.map(({ name }) => name) ?? [], isSearch: isSearch(path) }]
    : [],
);

/** No GET needs more statements. If a new one does, reconsider it. */
const MAX_STATEMENTS = 8;
/** The page of an account for admins unites what several folders of the domain know. */
const MAX_OF_PERSON = 14;
/**
 * Background work (folding feeds each second, telling followers of new posts) can only add statements, so the smallest
 * number of several tries counts, and further tries wait for the end of such work.
 */
const TRIES = 6;
const TRIES_MS = 30_000;

describe('the number of statements of a GET', () => {
  let database: TestDatabase;
  let counter: StatementCounter;
  let service: ServiceProcess;
  let client: Client;
  let admin: Person;
  let moderator: Person;
  let owner: Person;
  let guest: Person;
  let post: string;
  let media: string;
  let comment: string;
  let token: string;
  let ban: string;
  let report: string;
  let webhook: string;
  let webhookDelivery: string;
  let invite: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    counter = await countStatements(database.url);
    client = new Client({ connectionString: database.url });
    await client.connect();
    service = await startService('api-gateway', {
      env: {
        DATABASE_URL: counter.url,
        RATE_LIMIT_PUBLIC_PER_MINUTE: '100000',
        RATE_LIMIT_USER_PER_MINUTE: '100000',
      },
    });
    moderator = await createPerson(client, { role: 'moderator' });
    admin = await createPerson(client, { role: 'admin' });
    owner = await createPerson(client);
    guest = await createPerson(client, { guest: true });
    await grow(2);
    const slugOf = async (table: string): Promise<string> =>
      (
        await client.query<{ slug: string }>(
          `select slug from ${table} where listing = 'safe' order by id limit 1`,
        )
      ).rows[0]!.slug;
    post = await slugOf('posts');
    media = await slugOf('media');
    const idOf = async (query: string): Promise<string> =>
      String((await client.query<{ id: string }>(query)).rows[0]!.id);
    comment = await idOf('select min(id) as id from comments');
    token = await idOf(`select min(id) as id from tokens where kind = 'api' and user_id = ${moderator.id}`);
    ban = await idOf('select min(id) as id from banned_hashes');
    webhook = await idOf(`select min(id) as id from webhooks where user_id = ${moderator.id}`);
    webhookDelivery = await idOf(
      `select min(id) as id from webhook_deliveries where webhook_id = ${webhook}`,
    );
    invite = await idOf(`select min(id) as id from invites where created_by = ${moderator.id}`);
    report = await idOf(`select min(id) as id from reports where reporter_id = ${moderator.id}`);
  });
  afterAll(async () => {
    await service.stop();
    await client.end();
    counter.close();
    await database.drop();
  });

  let grown = 0;
  /**
   * Adds `count` items of everything that lists show: items of the owner, and comments, votes and follows of others.
   */
  async function grow(count: number): Promise<void> {
    const [from, to] = [grown + 1, (grown += count)];
    const series = `generate_series(${from}, ${to}) n`;
    const slug = (letter: string): string => `'${letter}' || lpad(n::text, 6, '0')`;
    await client.query(`
      insert into users (username) select 'fan_' || n from ${series};
      insert into users (username) select 'heron_' || n from ${series};
      insert into users (username) select 'foe_' || n from ${series};
      insert into blocks (blocker_id, blocked_id)
      select ${moderator.id}, u.id from users u join ${series} on u.username = 'foe_' || n;
      insert into mutes (muter_id, muted_id)
      select ${moderator.id}, u.id from users u join ${series} on u.username = 'foe_' || n;
      insert into notifications (user_id, kind, actor_id)
      select ${moderator.id}, 'follow', u.id from users u join ${series} on u.username = 'fan_' || n;
      insert into collections (slug, user_id) values ('savedaa', ${moderator.id}) on conflict do nothing;
      insert into tags (name) select 'heron-' || n from ${series};
      insert into tag_follows (user_id, tag_id)
      select ${moderator.id}, t.id from tags t join ${series} on t.name = 'heron-' || n;
      insert into media (slug, user_id, title, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256,
                         moderation_status, listing, tags, processed)
      select ${slug('m')}, ${owner.id}, 'Heron', 'image', 'jpeg', 'image/jpeg', 'jpg', 9, 9, 9, sha256('a'), sha256('a'),
             'approved', 'safe', '{heron-1}', true from ${series};
      insert into posts (slug, user_id, title, moderation_status, listing, media_count, tags)
      select ${slug('p')}, ${owner.id}, 'Heron', 'approved', 'safe', 1, '{heron-1}' from ${series};
      insert into collection_posts (collection_id, post_id) select c.id, p.id from collections c, posts p
      where right(p.slug, 6)::int between ${from} and ${to};
      insert into post_media (post_id, media_id, position)
      select p.id, m.id, 1 from posts p join media m on right(m.slug, 6) = right(p.slug, 6)
      where right(p.slug, 6)::int between ${from} and ${to};
      insert into post_media (post_id, media_id, position)
      select (select min(id) from posts), m.id, n + 1 from media m join ${series} on m.slug = ${slug('m')} and n > 1;
      insert into post_tags (post_id, tag_id, listing) select p.id, t.id, 'safe' from posts p, tags t
      where right(p.slug, 6)::int between ${from} and ${to} and (t.name = 'heron-1' or t.name = 'heron-' || right(p.slug, 6)::int)
      on conflict do nothing;
      insert into media_tags (media_id, tag_id, listing) select m.id, t.id, 'safe' from media m, tags t
      where right(m.slug, 6)::int between ${from} and ${to} and t.name = 'heron-1';
      insert into post_ranks (id, user_id, listing, age, score)
      select id, user_id, listing, 0, 0 from posts where right(slug, 6)::int between ${from} and ${to};
      insert into media_ranks (id, user_id, listing, age, score)
      select id, user_id, listing, 0, 0 from media where right(slug, 6)::int between ${from} and ${to};
      insert into comments (post_id, user_id, content)
      select (select min(id) from posts), u.id, 'x' from users u join ${series} on u.username = 'fan_' || n;
      insert into comments (post_id, user_id, content) select (select min(id) from posts), ${owner.id}, 'x' from ${series};
      insert into follows (follower_id, followee_id)
      select u.id, ${owner.id} from users u join ${series} on u.username = 'fan_' || n;
      insert into follows (follower_id, followee_id)
      select ${owner.id}, u.id from users u join ${series} on u.username = 'fan_' || n;
      insert into banned_hashes (kind, hash, reason, created_by) select 'sha256', sha256(n::text::bytea), 'x', ${moderator.id} from ${series};
      insert into moderation_queue (media_id, scores, reasons)
      select id, '{}', '{classifier_unsure}' from media where right(slug, 6)::int between ${from} and ${to};
      insert into moderation_decisions (subject, subject_id, slug, decided_by, decided_by_user_id, from_status, to_status, reason)
      select 'media', id, slug, 'moderator', ${moderator.id}, 'pending', 'approved', 'x' from media
      where right(slug, 6)::int between ${from} and ${to};
      insert into audit_log (actor_id, action, subject_type, subject_id, subject_name, decision_id)
      select decided_by_user_id, 'media.rule', 'media', subject_id, slug, id from moderation_decisions
      where right(slug, 6)::int between ${from} and ${to};
      insert into reports (reporter_id, type, user_id, reason, closed_at, closed_by)
      select ${moderator.id}, 'user', u.id, 'spam', now(), ${moderator.id} from users u join ${series} on u.username = 'fan_' || n;
      insert into invites (created_by, code_sha256, uses, expires_at)
      select ${moderator.id}, sha256(('i' || n)::bytea), 1, now() + interval '1 day' from ${series};
      insert into applications (user_id, words)
      select u.id, 'x' from users u join ${series} on u.username = 'foe_' || n;
      insert into webhooks (user_id, url, events, secret)
      select ${moderator.id}, 'https://receiver.invalid/', '{}', sha256('a') from ${series};
      insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data, status, next_attempt_at)
      select w.id, gen_random_uuid(), 'webhook.test', now(), '{}', 'failed', null from webhooks w, ${series};
      insert into tokens (user_id, kind, name, secret_sha256, scopes)
      select ${moderator.id}, 'api', 'x', sha256(('t' || n)::bytea), '{read}' from ${series};
      insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
      select ${slug('g')}, ${guest.id}, 'image', 'jpeg', 'image/jpeg', 'jpg', 9, 9, 9, sha256('a'), sha256('a') from ${series};
      insert into posts (slug, user_id) select ${slug('h')}, ${guest.id} from ${series}`);
  }

  const fill = (path: string): string =>
    path
      .replace('/media/{slug}', `/media/${media}`)
      .replace('{post}', post)
      .replace('{comment}', comment)
      .replace('{tag}', 'heron-1')
      .replace('{collection}', 'saved')
      .replace('/tokens/{id}', `/tokens/${token}`)
      .replace('/hashes/{id}', `/hashes/${ban}`)
      .replace('/invites/{id}', `/invites/${invite}`)
      .replace('/reports/{id}', `/reports/${report}`)
      .replace('/webhooks/{id}', `/webhooks/${webhook}`)
      .replace('{delivery}', String(webhookDelivery))
      .replace('{username}', owner.username);

  /** The number of statements for the answer, at most `limit` if possible, and the number of items in it. */
  const measure = async (
    path: string,
    token: string | undefined,
    limit: number,
    leastTries = 1,
  ): Promise<{ statements: number; items: number }> => {
    const end = Date.now() + TRIES_MS;
    let least = Infinity;
    let items = 0;
    for (let tries = 0; tries < leastTries || (least > limit && Date.now() < end); tries++) {
      const before = counter.statements();
      const answer = await askUrl(
        'GET',
        `${service.url}/api/v1${path}`,
        token === undefined ? {} : { token },
      );
      least = Math.min(least, counter.statements() - before);
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
      const { data } = answer.body as { data?: { media?: unknown[] } | unknown[] };
      items = Array.isArray(data) ? data.length : (data?.media?.length ?? 0);
    }
    return { statements: least, items };
  };

  /** Every list, with and without the parameters that change how it is read. */
  const FILTERS = [
    '',
    'tag=heron-1',
    'username=OWNER',
    'q=heron',
    'collection=saved',
    'sort=random&seed=1',
    'period=week',
    'nsfw=1',
    'page=2',
  ];
  const requests = (): { path: string; pageSize: string | null }[] =>
    GETS.flatMap(({ path, names, isSearch }) => {
      const pageSize = names.find((name) => name === 'limit' || name === 'perPage') ?? null;
      const filters = FILTERS.filter(
        (filter) =>
          filter === '' ||
          (names.includes(filter.split('=')[0] ?? '') && !(isSearch && filter.startsWith('q='))),
      );
      return filters
        .filter((filter) => !filter.startsWith('sort=random') || names.includes('seed'))
        .map((filter) => ({
          path: `${fill(path)}?${filter.replace('OWNER', owner.username)}${isSearch ? '&q=heron' : ''}`,
          pageSize,
        }));
    });

  it('doesn’t depend on the limit or the amount of data', async () => {
    const personFor = (path: string): Person => {
      if (path.startsWith('/guest/')) return guest;
      if (path.startsWith('/me/media') || path.includes('/statistics')) return owner;
      return path.startsWith('/admin/') ? admin : moderator;
    };
    const tokenFor = (path: string): string => personFor(path).session;
    const before = new Map<string, number>();
    for (const { path, pageSize } of requests()) {
      const limit = path.startsWith('/admin/users/user_') ? MAX_OF_PERSON : MAX_STATEMENTS;
      const short = pageSize ? `${path}&${pageSize}=1` : path;
      const { statements } = await measure(short, tokenFor(path), limit, TRIES);
      before.set(path, statements);
      expect({ path, few: statements <= limit }).toEqual({ path, few: true });
    }
    await grow(28);
    for (const { path, pageSize } of requests()) {
      const expected = before.get(path)!;
      const one = await measure(pageSize ? `${path}&${pageSize}=1` : path, tokenFor(path), expected);
      expect({ path, more: one.statements > expected }).toEqual({ path, more: false });
      if (pageSize === null || path.includes('page=2')) continue;
      const many = await measure(`${path}&${pageSize}=100`, tokenFor(path), one.statements);
      expect({ path, more: many.statements > one.statements }).toEqual({ path, more: false });
      expect({ path, long: many.items >= 30 }).toEqual({ path, long: true });
    }
  });

  it('is one for a media item, one for a post, and zero for the OpenAPI document', async () => {
    const of = async (path: string, expected: number): Promise<number> =>
      (await measure(path, undefined, expected)).statements;
    expect(await of(`/media/${media}`, 1)).toBe(1);
    expect(await of(`/posts/${post}`, 1)).toBe(1);
    expect(await of('/openapi.json', 0)).toBe(0);
  });
});
