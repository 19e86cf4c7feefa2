import { get } from 'node:http';
import type { Media } from '@vitrine/client';
import { type Person, type Stack, borrowStack, eventually } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { decided, upload } from './support/gallery';
import { HOSTILE_TEXTS } from './support/hostile-texts';
import { landscape } from './support/samples';

/** More than fit on one page of a feed. */
const POSTS = 34;
/** Maximum compressed size of HTML, styles and scripts of a page with 30 posts. */
const MAX_BYTES = 60_000;
const MAX_SCRIPT_BYTES = 15_000;

describe('feeds', () => {
  let stack: Stack;
  let ada: Person;
  let image: Media;
  /** Slugs of the posts that everyone can see, newest first. */
  const slugs: string[] = [];
  let nsfw: string;

  beforeAll(async () => {
    stack = await borrowStack();
    ada = await stack.createPerson('ada');
    image = await decided(ada.client, await upload(ada.client, await landscape('hills.jpg', 200, 1600, 900)));
    for (let i = 0; i < POSTS; i++) {
      const { slug } = await ada.client.posts.create({
        media_ids: [image.id],
        title: i === 7 ? '<b>"Fish" & chips</b>' : `Walk number ${i}`,
        tags: i % 2 === 0 ? ['walks'] : ['Straße am Meer', 'walks'],
        visibility: 'public',
      });
      slugs.unshift(slug);
    }
    nsfw = (
      await ada.client.posts.create({
        media_ids: [image.id],
        title: 'Not for work',
        tags: ['walks'],
        is_nsfw: true,
        visibility: 'public',
      })
    ).slug;
  });
  afterAll(() => stack?.close());

  const newVisitor = (): FormVisitor => new FormVisitor(stack.siteUrl);
  const shown = (html: string): string[] =>
    [...html.matchAll(/<a class="tile-link" href="\/[pm]\/([A-Za-z0-9]{7})(?:\?in=[^"]+)?"/g)].map(
      ([, slug = '']) => slug,
    );
  const nextPath = (html: string): string | undefined =>
    /<a class="button" rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');

  /** Reads the posts of a feed page by page, by following its links. */
  const walk = async (path: string): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { html } = await newVisitor().open(next);
      pages.push(shown(html));
      next = nextPath(html);
    }
    return pages;
  };

  // Promise [website]: The feed shows the latest posts, the highest score, a random order, a period, a tag or
  // the results of a search.
  it('show the latest first, 30 on a page, without scripts and cookies', async () => {
    const visitor = newVisitor();
    const { status, html, headers } = await visitor.open('/');

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(visitor.setCookies).toEqual([]);
    expect(await walk('/')).toEqual([slugs.slice(0, 30), slugs.slice(30)]);
    expect(html).toContain('<title>Vitrine</title>');
    expect(html).not.toMatch(/ style="| on\w+="/);
  });

  // Promise [website]: Tiles show pictures in their real sizes over a placeholder.
  it('show each picture in its real sizes over a placeholder, with title, author, points and comments', async () => {
    const { html } = await newVisitor().open('/');
    const [tile = ''] = /<li class="tile r11">.*?<\/li>/s.exec(html) ?? [];

    expect(tile).toContain(`${image.urls.xl} 1600w`);
    expect(tile).toContain(`${image.urls.sm} 320w`);
    expect(tile).toContain('width="1600" height="900"');
    expect(tile).toMatch(/class="picture-placeholder" src="data:image\/png;base64,/);
    expect(tile).toContain('>Walk number 33<');
    expect(tile).toContain('href="/u/ada"');
    expect(tile).toMatch(/0<span class="visually-hidden"> points/);
    expect(tile).toMatch(/0<span class="visually-hidden"> comments/);
  });

  it('keep one random order on all pages, and use another one the next time', async () => {
    const { status, location } = await newVisitor().open('/?sort=random');
    expect(status).toBe(303);
    expect(location).toMatch(/^\/\?sort=random&seed=\d+$/);
    const pages = await walk(location!);

    expect(pages.map(({ length }) => length)).toEqual([30, POSTS - 30]);
    expect(pages.flat().toSorted()).toEqual(slugs.toSorted());
    expect(await walk(location!)).toEqual(pages);
    const again = await newVisitor().open('/?sort=random');
    expect(again.location).not.toBe(location);
    expect((await walk(again.location!)).flat()).not.toEqual(pages.flat());
  });

  it('show the highest score first, also of a tag and of a search', async () => {
    const [best, second] = [slugs[20]!, slugs[12]!];
    const bob = await stack.createPerson('bob');
    await ada.client.posts.vote(best, 'up');
    await bob.client.posts.vote(best, 'up');
    await bob.client.posts.vote(second, 'up');
    const expected = [best, second, ...slugs.filter((slug) => slug !== best && slug !== second)];
    for (const path of ['/?sort=top', '/t/walks?sort=top', '/search?q=walks&sort=top']) {
      await eventually(async () => expect((await walk(path)).flat()).toEqual(expected));
    }
    expect((await newVisitor().open('/?sort=top')).html).toContain('<title>Top posts');
  });

  it.each(['/?page=0&sort=best&period=ever', '/?page=-3', '/?page=1&page=2', '/?sort[]=random', '/?%00=1'])(
    'show the first page for the invalid address %s',
    async (path) => expect(shown((await newVisitor().open(path)).html)).toEqual(slugs.slice(0, 30)),
  );

  it('link back from beyond the last page', async () => {
    const { status, html } = await newVisitor().open('/?page=99');
    expect(status).toBe(200);
    expect(html).toContain('There are no more pages.');
    expect(html).toContain('<a href="/">Go to the first page</a>');
  });

  it('can be limited to a period, and show a message if it is empty', async () => {
    expect(shown((await newVisitor().open('/?period=day')).html)).toHaveLength(30);
    await stack.sql(`update posts set created_at = created_at - interval '3 days'`);
    try {
      const { html } = await newVisitor().open('/?period=day');
      expect(shown(html)).toEqual([]);
      expect(html).toContain('Nothing was posted in this period.');
    } finally {
      await stack.sql(`update posts set created_at = created_at + interval '3 days'`);
    }
  });

  // Promise [website]: Tags have a page each, with one canonical address.
  it('can be limited to a tag in any alphabet and case, with one canonical address', async () => {
    const path = `/t/${encodeURIComponent('straße am meer')}`;
    expect(await walk(path)).toEqual([slugs.filter((_, i) => (POSTS - 1 - i) % 2 === 1)]);
    const { html } = await newVisitor().open(`/t/${encodeURIComponent('STRAßE am Meer')}`);
    expect(shown(html)).toHaveLength(17);
    expect(html).toContain(`<link rel="canonical" href="${stack.siteUrl}${path}"/>`);
    expect(html).toContain('<title>#straße am meer - Vitrine</title>');
    expect(await walk('/t/walks')).toEqual([slugs.slice(0, 30), slugs.slice(30)]);
  });

  it('return 404 for a tag that is not in use', async () => {
    const { status, html } = await newVisitor().open('/t/nosuch');
    expect(status).toBe(404);
    expect(html).toContain('No posts are tagged “nosuch”');
  });

  it('list tags with their counts, and find them by prefix', async () => {
    const { html } = await newVisitor().open('/tags');
    expect(html).toMatch(/<a href="\/t\/walks"><span class="tag-name">walks<\/span>.*>34 posts</);
    const found = (await newVisitor().open('/tags?q=STRA')).html;
    expect(found).toContain('href="/t/stra%C3%9Fe%20am%20meer"');
    expect(found).not.toContain('href="/t/walks"');
    expect((await newVisitor().open('/tags?q=zzz')).html).toContain('No tag begins with “zzz”.');
    expect((await newVisitor().open('/tags?page=9')).html).toContain('There are no more pages.');
  });

  it('search posts by all words, and media in a tab', async () => {
    await ada.client.media.update(image.slug, { title: 'Hills of chalk' });
    const posts = await newVisitor().open('/search?q=walk+number+12');
    const [exact = '', similar = ''] = posts.html.split('id="similar"');
    expect(shown(exact)).toEqual([slugs[POSTS - 1 - 12]]);
    expect(shown(similar)).toHaveLength(30);
    expect(posts.html).toContain('1 post<');
    expect(posts.html).toContain('name="q" placeholder="Search" value="walk number 12"');
    const media = await newVisitor().open('/search?q=chalk&type=media');
    expect(shown(media.html)).toEqual([image.slug]);
    expect(media.html).toContain('1 file<');
    const pages = await walk('/search?q=walk');
    expect(pages.flat()).toEqual(slugs.filter((_, i) => i !== POSTS - 1 - 7));
    expect((await newVisitor().open('/search?q=zeppelin')).html).toContain('No results.');
    expect(shown((await newVisitor().open('/search?q=walc')).html)).toHaveLength(30);
    expect((await newVisitor().open('/search?q=ada')).html).toMatch(/id="people"[^]*href="\/u\/ada"/);
    expect((await newVisitor().open('/search?q=AD&type=people')).html).toContain('href="/u/ada"');
    expect((await newVisitor().open('/search?q=wlks&type=tags')).html).toContain('href="/t/walks"');
    const suggested = await fetch(new URL('/search/suggestions?q=walk', stack.siteUrl));
    expect(await suggested.json()).toEqual({
      suggestions: expect.arrayContaining([
        { text: '#walks', href: '/t/walks' },
        { text: 'Walk number 1', href: '/search?q=Walk+number+1' },
      ]),
    });
    expect((await newVisitor().open('/search')).html).toContain('href="/t/walks"');
  });

  it('treat any search input as text', async () => {
    expect((await newVisitor().open('/')).html).toContain('&lt;b>&quot;Fish&quot; &amp; chips&lt;/b>');
    for (const text of [...HOSTILE_TEXTS, 'a'.repeat(5000)]) {
      const query = new URLSearchParams({ q: text }).toString();
      for (const path of [
        ...['', '&type=media', '&type=people', '&type=tags'].map((type) => `/search?${query}${type}`),
        `/tags?${query}`,
      ]) {
        const { status, html } = await newVisitor().open(path);
        expect([path.slice(0, 80), status]).toEqual([path.slice(0, 80), 200]);
        expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/)|<img[^>]+onerror/i);
      }
    }
  });

  // Promise [website]: nsfw content is hidden until the visitor chooses to see it.
  it('hide nsfw content until this browser has chosen to see it, and then mark it', async () => {
    const visitor = newVisitor();
    for (const path of ['/', '/t/walks', '/search?q=work']) {
      expect(shown((await visitor.open(path)).html)).not.toContain(nsfw);
    }
    expect((await visitor.open('/tags')).html).toMatch(/walks<.*>34 posts</);
    // A GET doesn't change it, only the form.
    await visitor.open('/preferences?nsfw=show');
    expect(visitor.cookies.has('vitrine_nsfw')).toBe(false);
    expect((await visitor.submit('/preferences', { nsfw: 'maybe' })).status).toBe(422);
    expect(visitor.cookies.has('vitrine_nsfw')).toBe(false);

    await visitor.open('/preferences?next=%2Ft%2Fwalks');
    const { status, location } = await visitor.submit('/preferences', { nsfw: 'show' });
    expect([status, location]).toEqual([303, '/t/walks']);
    const { html } = await visitor.open(location!);
    expect(shown(html)[0]).toBe(nsfw);
    expect(html.match(/<span class="badge badge-nsfw">NSFW<\/span>/g)).toHaveLength(1);
    expect(shown((await visitor.open('/search?q=work')).html)).toEqual([nsfw]);
    expect((await visitor.open('/tags')).html).toMatch(/walks<.*>35 posts</);

    await visitor.open('/preferences');
    await visitor.submit('/preferences', { nsfw: 'hide' });
    expect(shown((await visitor.open('/')).html)).not.toContain(nsfw);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'do not redirect from the preferences to %s',
    async (next) => {
      const visitor = newVisitor();
      await visitor.open(`/preferences?${new URLSearchParams({ next }).toString()}`);
      expect((await visitor.submit('/preferences', { nsfw: 'hide' })).location).toBe('/');
      expect((await visitor.submit('/preferences', { nsfw: 'hide', next })).location).toBe('/');
    },
  );

  it('ignore a choice from another site', async () => {
    const answer = await newVisitor().post(
      '/preferences',
      { nsfw: 'show' },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    );
    expect(answer.status).toBe(403);
    expect(answer.headers.getSetCookie().join()).not.toContain('nsfw');
  });

  // Promise [website]: The first page of the feed has at most 60 KB, of which 15 KB are scripts.
  it(`weigh at most ${MAX_BYTES} bytes with styles and scripts, scripts at most ${MAX_SCRIPT_BYTES}`, async () => {
    const { html } = await newVisitor().open('/');
    expect(shown(html)).toHaveLength(30);
    const of = (text: string, pattern: RegExp): string[] =>
      [...text.matchAll(pattern)].map(([, path = '']) => path);
    const scripts = new Set(of(html, /<script type="module" src="([^"]+)"/g));
    const styles = of(html, /<link rel="stylesheet" href="([^"]+)"/g);
    for (const script of scripts) {
      const text = await (await fetch(stack.siteUrl + script)).text();
      for (const imported of of(text, /(?:from|import)\s*"\.\/([^"]+)"/g)) scripts.add(`/assets/${imported}`);
    }
    const sum = async (paths: Iterable<string>): Promise<number> => {
      let bytes = 0;
      for (const path of paths) bytes += await wireBytes(stack.siteUrl + path);
      return bytes;
    };
    const js = await sum(scripts);

    expect(scripts.size).toBeGreaterThan(1);
    expect(styles.length).toBeGreaterThan(1);
    expect(await wireBytes(stack.siteUrl)).toBeLessThan(html.length / 2);
    expect(js).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
    expect((await sum(['/', ...styles])) + js).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** Size of a response body as sent to a browser, in bytes. */
function wireBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      let bytes = 0;
      response
        .on('data', (chunk: Buffer) => (bytes += chunk.length))
        .on('end', () => resolve(bytes))
        .on('error', reject);
    }).on('error', reject);
  });
}
