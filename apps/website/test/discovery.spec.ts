import { type Person, type Stack, startStack } from '@vitrine/testing';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

jest.setTimeout(90_000);

describe('what programs look for', () => {
  let stack: Stack;
  let owner: Person;
  let moderator: Person;

  beforeAll(async () => {
    stack = await startStack({ without: ['media-processor', 'moderation-service'] });
    [owner, moderator] = await Promise.all([
      stack.createPerson('owen'),
      stack.createPerson('mona', { role: 'moderator' }),
    ]);
  });
  afterAll(() => stack?.close());

  const get = (path: string): Promise<Response> => fetch(stack.siteUrl + path, { redirect: 'manual' });
  const locations = async (path: string): Promise<string[]> =>
    [...(await (await get(path)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url!);

  it('maps what everybody can see, and nothing else', async () => {
    const post = async (
      hue: number,
      status: 'approved' | 'nsfw' | 'rejected',
      visibility: 'public' | 'hidden' | 'private',
      tags: string[],
    ): Promise<string> => {
      const { id, slug } = await upload(owner.client, await landscape('view.jpg', hue, 60, 40));
      await moderator.client.moderation.ruleOnMedia(slug, { status, reason: 'A test.' });
      return (await owner.client.posts.create({ media_ids: [id], visibility, tags })).slug;
    };
    const seen = await post(10, 'approved', 'public', ['sea and sand', 'äpfel']);
    await post(20, 'nsfw', 'public', []);
    await post(30, 'rejected', 'public', []);
    await post(40, 'approved', 'hidden', ['secret']);
    await post(50, 'approved', 'private', ['secret']);

    const index = await get('/sitemap.xml');
    expect(index.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
    expect(await locations('/sitemap.xml')).toEqual([
      `${stack.siteUrl}/sitemap/pages.xml`,
      `${stack.siteUrl}/sitemap/posts-1.xml`,
    ]);
    expect(await locations('/sitemap/posts-1.xml')).toEqual([`${stack.siteUrl}/p/${seen}`]);
    const pages = await locations('/sitemap/pages.xml');
    expect(pages).toEqual(expect.arrayContaining([`${stack.siteUrl}/`, `${stack.siteUrl}/t/%C3%A4pfel`]));
    expect(pages.join()).not.toContain('secret');
    for (const url of pages) expect((await fetch(url)).status).toBe(200);
  });

  it.each(['/sitemap/posts-2.xml', '/sitemap/posts-0.xml', '/sitemap/posts-99999.xml', '/sitemap/x.xml'])(
    'has no %s, and says so without keeping it',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
    },
  );

  it('keeps robots out of what is a visitor’s own', async () => {
    const text = await (await get('/robots.txt')).text();
    for (const path of ['/settings', '/moderation', '/upload', '/g/', '/login']) {
      expect(text).toContain(`\nDisallow: ${path}\n`);
    }
    expect(text).toMatch(new RegExp(`\nSitemap: ${stack.siteUrl}/sitemap.xml\n$`));
    expect(text).not.toContain('Disallow: /\n');
  });

  it('has icons, and a manifest that names them', async () => {
    const manifest = (await (await get('/manifest.webmanifest')).json()) as {
      name: string;
      icons: { src: string; type: string; purpose: string }[];
    };
    expect(manifest.name).toBe('Vitrine');
    const extra = [
      { src: '/favicon.ico', type: 'image/vnd.microsoft.icon' },
      { src: '/apple-touch-icon.png', type: 'image/png' },
    ];
    for (const { src, type } of [...manifest.icons, ...extra]) {
      const answer = await get(src);
      expect([src, answer.status, answer.headers.get('Content-Type')]).toEqual([src, 200, type]);
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=86400');
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(200);
    }
    expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
  });

  it('leads password managers to the settings', async () => {
    const { status, headers } = await get('/.well-known/change-password');
    expect([status, headers.get('Location')]).toEqual([302, '/settings']);
  });
});
