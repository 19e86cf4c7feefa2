import type { CreatedPost, Media } from '@vitrine/client';
import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

describe('files for crawlers and other programs', () => {
  let stack: Stack;
  let owner: Person;
  let moderator: Person;

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [owner, moderator] = await Promise.all([
      stack.createPerson('owen'),
      stack.createPerson('mona', { role: 'moderator' }),
    ]);
  });
  afterAll(() => stack?.close());

  const get = (path: string): Promise<Response> => fetch(stack.siteUrl + path, { redirect: 'manual' });
  const locations = async (path: string): Promise<string[]> =>
    [...(await (await get(path)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url!);

  it('the sitemap lists public pages only', async () => {
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

  it('the paths of the API and of its document lead to the API, with method, query and body', async () => {
    const answer = await get('/api/v1/posts?limit=100&visibility=public&username=owen&tag=a%2Fb');
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      308,
      `${stack.apiUrl}/posts?limit=100&visibility=public&username=owen&tag=a%2Fb`,
    ]);
    expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');

    const document = await get('/openapi.json');
    expect([document.status, document.headers.get('Location')]).toEqual([
      302,
      `${stack.apiUrl}/openapi.json`,
    ]);

    const login = await fetch(`${stack.siteUrl}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ login: owner.username, password: owner.password }),
    });
    expect(login.status).toBe(200);
    for (const path of ['/api', '/api/v2/posts', '/api/v1x', '/API/v1/posts'])
      expect((await get(path)).status).toBe(404);
  });

  it.each(['/sitemap/posts-2.xml', '/sitemap/posts-0.xml', '/sitemap/posts-99999.xml', '/sitemap/x.xml'])(
    '%s is 404, and not cached',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
    },
  );

  // Promise [website]: `robots.txt` excludes personal pages; the sitemap lists public ones; a web manifest
  // exists.
  it('robots.txt excludes personal pages', async () => {
    const text = await (await get('/robots.txt')).text();
    for (const path of ['/settings', '/moderation', '/upload', '/g/', '/login']) {
      expect(text).toContain(`\nDisallow: ${path}\n`);
    }
    expect(text).toMatch(new RegExp(`\nSitemap: ${stack.siteUrl}/sitemap.xml\n$`));
    expect(text).not.toContain('Disallow: /\n');
  });

  it('the web manifest names icons that exist', async () => {
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

  it('the web manifest has a target for shared files, which leads to the upload page even without a service worker', async () => {
    const { share_target: target } = (await (await get('/manifest.webmanifest')).json()) as {
      share_target: { action: string; method: string; params: { files: { name: string }[] } };
    };
    const body = new FormData();
    body.append(target.params.files[0]!.name, new Blob(['x']), 'x.jpg');
    const answer = await fetch(stack.siteUrl + target.action, {
      method: target.method,
      body,
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/upload?shared=failed']);
    const page = await (await get('/upload?shared=failed')).text();
    expect(page).toContain('The shared files could not be received.');
  });

  it('password managers are redirected to the settings', async () => {
    const { status, headers } = await get('/.well-known/change-password');
    expect([status, headers.get('Location')]).toEqual([302, '/settings']);
  });

  describe('oEmbed', () => {
    let picture: Media;

    beforeAll(async () => {
      picture = await upload(owner.client, await landscape('hill.jpg', 60));
      await moderator.client.moderation.ruleOnMedia(picture.slug, { status: 'approved', reason: 'A test.' });
    });

    const ask = (query: string): Promise<Response> => fetch(`${stack.siteUrl}/oembed?${query}`);
    const makePost = (visibility: 'public' | 'private' = 'public'): Promise<CreatedPost> =>
      owner.client.posts.create({ media_ids: [picture.id], title: 'Hills', visibility });

    // Promise [website]: oEmbed describes public pages only.
    it('returns a photo, readable from other sites', async () => {
      const post = await makePost();
      const html = await (await get(`/p/${post.slug}`)).text();
      const link = /<link rel="alternate" type="application\/json\+oembed" href="([^"]*)"/.exec(html)?.[1];
      const answer = await fetch((link ?? '').replaceAll('&amp;', '&'));
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Set-Cookie')).toBeNull();
      expect(await answer.json()).toEqual({
        version: '1.0',
        type: 'photo',
        provider_name: 'Vitrine',
        provider_url: stack.siteUrl,
        cache_age: 300,
        title: 'Hills',
        author_name: 'owen',
        author_url: `${stack.siteUrl}/u/owen`,
        url: picture.urls.xl,
        width: 900,
        height: 600,
        thumbnail_url: picture.urls.lg,
        thumbnail_width: 900,
        thumbnail_height: 600,
      });
      const small = await ask(`url=${stack.siteUrl}/m/${picture.slug}&maxwidth=400&maxheight=200`);
      expect(await small.json()).toMatchObject({ url: picture.urls.xs, width: 160, height: 107 });
    });

    it('returns 404 for all addresses except public pages of this site', async () => {
      const open = await makePost();
      const secret = await makePost('private');
      const { siteUrl } = stack;
      const urls = [
        'https://evil.example/p/abcdefg',
        `https://evil.example/?${siteUrl}/p/${open.slug}`,
        `${siteUrl}@evil.example/p/${open.slug}`,
        `${siteUrl.replace('http://', 'http://user:pw@')}/p/${open.slug}`,
        `${siteUrl.replace(/\d+$/, '1')}/p/${open.slug}`,
        `${siteUrl}/p/nothere`,
        `${siteUrl}/p/..%2Fme`,
        `${siteUrl}/u/owen`,
        `${siteUrl}/p/${secret.slug}?key=${secret.access_key ?? ''}`,
        'javascript:alert(1)',
        `/p/${open.slug}`,
        '',
      ];
      for (const url of urls) {
        expect([url, (await ask(new URLSearchParams({ url }).toString())).status]).toEqual([url, 404]);
      }
      expect((await ask('')).status).toBe(404);
    });

    it('returns 404 as soon as a post has become private', async () => {
      const { slug } = await makePost();
      const url = `url=${stack.siteUrl}/p/${slug}`;
      expect((await ask(url)).status).toBe(200);
      await owner.client.posts.update(slug, { visibility: 'private' });
      expect((await ask(url)).status).toBe(404);
    });

    it('supports only JSON, without a callback', async () => {
      const { slug } = await makePost();
      const url = `url=${stack.siteUrl}/p/${slug}`;
      expect((await ask(`${url}&format=xml`)).status).toBe(501);
      expect((await ask(`${url}&maxwidth=wide`)).status).toBe(400);
      const answer = await ask(`${url}&callback=alert&jsonp=alert`);
      expect(await answer.text()).toMatch(/^\{/);
    });
  });
});
