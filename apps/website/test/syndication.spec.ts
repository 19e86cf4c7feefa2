import { borrowStack, type Person, type Stack } from '@vitrine/testing';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

describe('feeds for readers', () => {
  let stack: Stack;
  let ada: Person;
  let moderator: Person;
  const slugs: Record<string, string> = {};

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [ada, moderator] = await Promise.all([
      stack.createPerson('ada'),
      stack.createPerson('mona', { role: 'moderator' }),
    ]);
    const post = async (
      hue: number,
      title: string | null,
      status: 'approved' | 'nsfw' | 'rejected' | null,
      visibility: 'public' | 'hidden' | 'private' = 'public',
    ): Promise<string> => {
      const { id, slug } = await upload(ada.client, await landscape('view.jpg', hue, 60, 40));
      if (status) await moderator.client.moderation.ruleOnMedia(slug, { status, reason: 'A test.' });
      const tags = ['Äpfel und Birnen'];
      return (
        await ada.client.posts.create({
          media_ids: [id],
          title,
          visibility,
          tags,
          description: 'One <b>.\n\nTwo ]]>',
        })
      ).slug;
    };
    slugs['seen'] = await post(10, 'Harbour <3 & ]]> "quoted"', 'approved');
    slugs['nsfw'] = await post(20, 'Adult', 'nsfw');
    slugs['rejected'] = await post(30, 'Rejected', 'rejected');
    slugs['pending'] = await post(40, 'Pending', null);
    slugs['hidden'] = await post(50, 'Hidden', 'approved', 'hidden');
    slugs['private'] = await post(60, 'Private', 'approved', 'private');
  });
  afterAll(() => stack?.close());

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(stack.siteUrl + path, { redirect: 'manual', headers });
  const tagged = `/t/${encodeURIComponent('äpfel und birnen')}`;
  const atom = async (path: string, headers?: Record<string, string>) => {
    const answer = await get(path, headers);
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
    ]);
    return parseAtomFeed(await answer.text());
  };

  // Promise [website]: Atom and JSON feeds list public and allowed posts only, with pages and conditional
  // requests.
  it.each(['', '/u/ada', tagged])(
    'of the page "%s" lists public and allowed posts only, in both formats',
    async (path) => {
      const { entries = [] } = await atom(`${path}/feed.atom`);
      expect(entries).toMatchObject([
        {
          id: `${stack.siteUrl}/p/${slugs['seen']}`,
          title: { value: 'Harbour <3 & ]]> "quoted"' },
          authors: [{ name: 'ada', uri: `${stack.siteUrl}/u/ada` }],
          categories: [{ term: 'äpfel und birnen' }],
        },
      ]);
      const html = entries[0]?.content?.value ?? '';
      expect(html).toContain('<p>One &lt;b&gt;.</p><p>Two ]]&gt;</p>');
      const json = await get(`${path}/feed.json`);
      expect([json.status, json.headers.get('Content-Type')]).toEqual([
        200,
        'application/feed+json; charset=utf-8',
      ]);
      expect(json.headers.get('Access-Control-Allow-Origin')).toBe('*');
      const feed = parseJsonFeed(await json.text());
      expect(feed.items).toMatchObject([{ title: 'Harbour <3 & ]]> "quoted"', content_html: html }]);
      const [attachment] = feed.items?.[0]?.attachments ?? [];
      const file = await fetch(attachment?.url ?? '');
      expect([file.headers.get('Content-Type'), (await file.arrayBuffer()).byteLength]).toEqual([
        attachment?.mime_type,
        attachment?.size_in_bytes,
      ]);
    },
  );

  it('contain nothing more for the owner, also with nsfw content switched on', async () => {
    const Cookie = `vitrine_session=${ada.session}; vitrine_nsfw=1`;
    for (const path of ['/feed.atom', '/u/ada/feed.atom', `${tagged}/feed.atom`]) {
      expect((await atom(path, { Cookie })).entries).toHaveLength(1);
      const answer = await get(path, { Cookie });
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300');
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    }
  });

  it.each(['/', '/u/ada', tagged])('are linked from the page %s', async (path) => {
    const html = await (await get(path)).text();
    const links = [
      ...html.matchAll(/<link rel="alternate" type="application\/(atom|feed)\+\w+" href="([^"]*)"/g),
    ];
    expect(links.map(([, format]) => format)).toEqual(['atom', 'feed']);
    for (const [, , href = ''] of links) expect((await get(href.replaceAll('&amp;', '&'))).status).toBe(200);
  });

  it('are 404 for unknown users, unused tags, other formats and pages after the last', async () => {
    for (const path of [
      '/u/nobody_here/feed.atom',
      '/u/b%20ad/feed.atom',
      '/t/unused/feed.atom',
      '/feed.rss',
      '/u/ada/feed.toString',
      '/feed.atom?page=2',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it.each(['/feed.atom', '/feed.json'])('%s is not sent again if it has not changed', async (path) => {
    const first = await get(path);
    const etag = first.headers.get('ETag') ?? '';
    const again = await get(path, { 'If-None-Match': etag });
    expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', etag]);
    expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    // No date says whether a post has left the feed since then.
    expect(first.headers.get('Last-Modified')).toBeNull();
    expect((await get(path, { 'If-Modified-Since': new Date().toUTCString() })).status).toBe(200);
    const post = await stack.client().posts.get(slugs['seen'] ?? '');
    await ada.client.posts.update(post.slug, { description: `Changed for ${path}` });
    await moderator.client.moderation.ruleOnMedia(post.media[0]?.slug ?? '', {
      status: 'approved',
      reason: 'Again.',
    });
    const changedFeed = await get(path, { 'If-None-Match': etag });
    expect(changedFeed.status).toBe(200);
    expect(await changedFeed.text()).toContain(`Changed for ${path}`);
    await ada.client.posts.update(post.slug, { description: 'One <b>.\n\nTwo ]]>' });
  });

  it('are read in pages until the last', async () => {
    await stack.sql(
      `insert into posts (slug, user_id, title, moderation_status, listing, media_count)
       select 'q' || lpad(n::text, 6, '0'), (select id from users where username = 'ada'), 'Walk ' || n, 'approved', 'safe', 0
       from generate_series(1, 64) n`,
    );
    const ids = new Set<string>();
    let next: string | undefined = `${stack.siteUrl}/u/ada/feed.atom`;
    let pages = 0;
    while (next !== undefined) {
      const feed: ReturnType<typeof parseAtomFeed> = parseAtomFeed(await (await fetch(next)).text());
      for (const { id } of feed.entries ?? []) ids.add(id ?? '');
      next = feed.links?.find(({ rel }) => rel === 'next')?.href;
      pages++;
    }
    expect([pages, ids.size]).toEqual([3, 65]);
    const json = parseJsonFeed(await (await get('/u/ada/feed.json')).text());
    expect(json.next_url).toBe(`${stack.siteUrl}/u/ada/feed.json?page=2`);
  });
});
