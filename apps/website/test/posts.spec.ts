import type { CreatedPost, Media } from '@vitrine/client';
import { eventually, type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { HOSTILE_TEXTS, hostileTexts } from './support/hostile-texts';
import { landscape } from './support/samples';

jest.setTimeout(90_000);

const text = (html: string): string =>
  html
    .replace(/&lt;/g, '<')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

describe('the page of a post', () => {
  let stack: Stack;
  let ada: Person;
  let grace: Person;
  let moderator: Person;
  let media: Media[];

  beforeAll(async () => {
    // Without these processes, media are processed and decided by the tests only.
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [ada, grace, moderator] = await Promise.all([
      stack.createPerson('ada'),
      stack.createPerson('grace'),
      stack.createPerson('mo_derator', { role: 'moderator' }),
    ]);
    const files = await Promise.all([1, 2, 3].map((n) => landscape(`${n}.jpg`, n * 60)));
    media = [];
    for (const file of files) media.push(await upload(ada.client, file));
    for (const { slug } of media) {
      await moderator.client.moderation.ruleOnMedia(slug, { status: 'approved', reason: 'test' });
    }
  });
  afterAll(() => stack?.close());

  type NewPost = Parameters<Person['client']['posts']['create']>[0];
  const make = (post: Partial<NewPost> = {}): Promise<CreatedPost> =>
    ada.client.posts.create({ media_ids: [media[0]!.id], visibility: 'public', ...post });
  const visitor = (person?: Person): FormVisitor => {
    const somebody = new FormVisitor(stack.siteUrl);
    if (person) somebody.cookies.set('vitrine_session', person.session);
    return somebody;
  };
  const open = (path: string, person?: Person) => visitor(person).open(path);
  const keyed = ({ slug, access_key: key }: CreatedPost): string => `/p/${slug}?key=${key ?? ''}`;
  const metaOf = (html: string, name: string): string[] =>
    [...html.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"\/?>/g)]
      .filter((match) => match[1] === name)
      .map((match) => text(match[2] ?? ''));
  const jsonLdOf = (html: string): unknown => {
    const script = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
    return script === undefined ? undefined : JSON.parse(script);
  };

  it('contains the attributes that other programs read', async () => {
    const post = await make({
      title: 'A <b> & "quoted" title',
      media_ids: media.map(({ id }) => id),
    });
    const { status, html } = await open(`/p/${post.slug}`);
    expect(status).toBe(200);
    expect(html).toContain('<title>A &lt;b> &amp; &quot;quoted&quot; title - Vitrine</title>');
    expect(html).toContain(`data-post-id="${post.id}"`);
    expect(html).toContain('href="/u/ada"');
    expect(html).toMatch(/class="post-score"[^>]*>0</);
    const blocks = html.split('class="post-media"').slice(1);
    expect(blocks).toHaveLength(3);
    blocks.forEach((block, index) => {
      const { slug, id, urls } = media[index]!;
      expect(block).toContain(`data-id="${slug}" data-media-id="${id}"`);
      expect(block).toContain(`href="${urls.original}"`);
      expect(block).toContain(`href="${urls.original}?download"`);
      for (const code of ['Direct link', 'HTML', 'Markdown', 'BBCode']) expect(block).toContain(`>${code}<`);
    });
  });

  it('contains the metadata for link previews', async () => {
    const post = await make({ title: 'Three hills', description: 'One\n\ntwo', tags: ['hills'] });
    const { html } = await open(`/p/${post.slug}`);
    const url = `${stack.siteUrl}/p/${post.slug}`;
    expect(html).toContain(`<link rel="canonical" href="${url}"/>`);
    expect(metaOf(html, 'og:url')).toEqual([url]);
    expect(metaOf(html, 'og:title')).toEqual(['Three hills']);
    expect(metaOf(html, 'description')).toEqual(['One two']);
    expect(metaOf(html, 'og:image')).toEqual([media[0]!.urls.lg]);
    expect(metaOf(html, 'og:image:width')).toEqual(['900']);
    expect(metaOf(html, 'twitter:card')).toEqual(['summary_large_image']);
    expect(metaOf(html, 'robots')).toEqual([]);
    expect(jsonLdOf(html)).toMatchObject({
      '@type': 'DiscussionForumPosting',
      url,
      headline: 'Three hills',
      text: 'One\n\ntwo',
      keywords: ['hills'],
      author: { name: 'ada', url: `${stack.siteUrl}/u/ada` },
      image: [{ '@type': 'ImageObject', contentUrl: media[0]!.urls.original }],
    });
  });

  it('shows a video with a player, and in its metadata', async () => {
    const [film] = media.slice(-1);
    const values = [film!.slug];
    await stack.sql(
      "update media set kind = 'video', mime = 'video/mp4', ext = 'mp4', duration = 63, processed = true where slug = $1",
      values,
    );
    try {
      const post = await make({ title: 'A film', media_ids: [film!.id] });
      const { html } = await open(`/p/${post.slug}`);
      expect(html).toContain('<video controls');
      expect(html).toContain(`<a href="${stack.cdnUrl}/f/${film!.slug}.mp4">`);
      expect(metaOf(html, 'og:video')).toEqual([`${stack.cdnUrl}/f/${film!.slug}_lg.mp4`]);
      expect(metaOf(html, 'og:video:type')).toEqual(['video/mp4']);
      expect(metaOf(html, 'twitter:player')).toEqual([`${stack.siteUrl}/e/${film!.slug}`]);
      expect(jsonLdOf(html)).toMatchObject({ video: [{ '@type': 'VideoObject', duration: 'PT63S' }] });
      const answer = await fetch(`${stack.siteUrl}/oembed?url=${stack.siteUrl}/p/${post.slug}&maxwidth=320`);
      expect(await answer.json()).toMatchObject({
        type: 'video',
        title: 'A film',
        width: 320,
        height: 213,
        html: expect.stringContaining(`<iframe src="${stack.siteUrl}/e/${film!.slug}" width="320"`),
      });
      expect(metaOf(html, 'og:description')).toEqual(['1 video by ada on Vitrine']);
      const mixed = await make({ media_ids: [media[0]!.id, film!.id] });
      const { html: both } = await open(`/p/${mixed.slug}`);
      expect(metaOf(both, 'og:description')).toEqual(['2 files by ada on Vitrine']);
    } finally {
      await stack.sql(
        "update media set kind = 'image', mime = 'image/jpeg', ext = 'jpg', duration = null, processed = false where slug = $1",
        values,
      );
    }
  });

  it('counts one view for each visit, and none for its owner, frames and oEmbed', async () => {
    const post = await make();
    const views = async (): Promise<number> => (await ada.client.posts.get(post.slug)).view_count;
    const oembed = `/oembed?url=${encodeURIComponent(`${stack.siteUrl}/p/${post.slug}`)}`;
    await open(`/p/${post.slug}`, ada);
    await open(`/e/${media[0]!.slug}`);
    await open(`/m/${media[0]!.slug}`);
    await open(`/p/${post.slug}`);
    await open(`/p/${post.slug}`, grace);
    await fetch(`${stack.siteUrl}/p/${post.slug}`, { method: 'HEAD' });
    for (const ahead of ['prefetch', 'prefetch;prerender']) {
      await fetch(`${stack.siteUrl}/p/${post.slug}`, { headers: { 'Sec-Purpose': ahead } });
    }
    for (let times = 0; times < 3; times++) await open(oembed);
    // Two visits, and one request of oEmbed, whose answer is cached.
    await eventually(async () => expect(await views()).toBe(3));
  });

  it('accepts and removes votes, by form and by script', async () => {
    const post = await make();
    const page = `/p/${post.slug}`;
    const somebody = visitor(grace);
    await somebody.open(page);
    const answer = await somebody.submit(`${page}/vote`, { direction: 'up' });
    expect([answer.status, answer.location]).toEqual([303, page]);
    const { html } = await somebody.open(page);
    expect(html).toMatch(/class="post-score"[^>]*>1</);
    expect(html).toMatch(/value="up" aria-pressed="true"/);

    const fields = somebody.fieldsOf(`${page}/vote`);
    const json = { Accept: 'application/json' };
    const down = await somebody.post(`${page}/vote`, { ...fields, direction: 'down' }, json);
    expect(JSON.parse(down.html)).toMatchObject({ score: -1, vote: 'down' });
    // Sending the same form again doesn't remove the vote.
    await somebody.post(`${page}/vote`, { ...fields, direction: 'down' }, json);
    expect((await grace.client.posts.get(post.slug)).score).toBe(-1);
    const back = await somebody.post(
      `${page}/vote`,
      { ...fields, _form: 'another', direction: 'down' },
      json,
    );
    expect(JSON.parse(back.html)).toMatchObject({ score: 0, vote: null });
    expect((await somebody.post(`${page}/vote`, { ...fields, direction: 'sideways' })).status).toBe(400);
  });

  it('sends visitors without a session to the login and back', async () => {
    const post = await make();
    const { html } = await open(`/p/${post.slug}`);
    const login = `/login?next=%2Fp%2F${post.slug}`;
    expect(html).toContain(`<a class="vote up" href="${login}"`);
    expect(html).toContain(`href="${login}" rel="nofollow">Follow`);
    const nobody = visitor();
    await nobody.open('/login');
    const fields = { ...nobody.fieldsOf('/login'), direction: 'up' };
    expect((await nobody.post(`/p/${post.slug}/vote`, fields, { Accept: 'application/json' })).status).toBe(
      401,
    );
    expect((await ada.client.posts.get(post.slug)).score).toBe(0);
  });

  it('can follow and unfollow its author, and redirects only within the site', async () => {
    const post = await make();
    const somebody = visitor(grace);
    const page = `/p/${post.slug}`;
    await somebody.open(page);
    expect((await somebody.submit('/u/ada/follow')).location).toBe(page);
    expect((await grace.client.users.get('ada')).isFollowedByUser).toBe(true);
    const { html } = await somebody.open(page);
    expect(html).toContain('Following');
    const answer = await somebody.submit('/u/ada/unfollow', { next: '//evil.example/' });
    expect(answer.location).toBe('/');
    expect((await grace.client.users.get('ada')).isFollowedByUser).toBe(false);
    expect((await open(page, ada)).html).not.toContain('/u/ada/follow');
  });

  it('accepts reports, and shows errors', async () => {
    const post = await make();
    const somebody = visitor(grace);
    await somebody.open(`/p/${post.slug}`);
    const wrong = await somebody.submit('/reports', { reason: 'boredom', details: 'Yawn' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('The selected reason is invalid.');
    expect(wrong.html).toContain('Yawn');
    const sent = await somebody.submit('/reports', { reason: 'copyright', details: 'It is mine.' });
    expect([sent.status, sent.location]).toEqual([303, `/p/${post.slug}`]);
    expect((await somebody.open('/')).html).toContain('A moderator will review it.');
    const { data } = await moderator.client.moderation.queue.list();
    expect(JSON.stringify(data.find((item) => item.post?.slug === post.slug))).toContain('It is mine.');
    expect((await open('/reports?type=comment&target=1&next=https://evil.example')).location).toMatch(
      /^\/login\?/,
    );
    const alone = await open('/reports?type=comment&target=1&next=//evil.example&key=k', grace);
    expect(alone.html).toContain('name="next" value="/"');
  });

  describe('of a private post', () => {
    it('opens only with the key, and does not leak it', async () => {
      const post = await make({
        visibility: 'private',
        title: 'A secret',
        media_ids: media.map(({ id }) => id),
      });
      const key = post.access_key ?? '';
      for (const path of [
        `/p/${post.slug}`,
        `/p/${post.slug}?key=${key}x`,
        `/p/${post.slug}?key=${key}&key=${key}`,
      ]) {
        const { status, html } = await open(path);
        expect([path, status, html.includes('A secret')]).toEqual([path, 404, false]);
      }
      const somebody = visitor(grace);
      const { status, headers, html } = await somebody.open(keyed(post));
      expect(status).toBe(200);
      expect(headers.get('Cache-Control')).toBe('private, no-store');
      expect(headers.get('Referrer-Policy')).toBe('strict-origin');
      expect(headers.get('X-Robots-Tag')).toBe('noindex');
      expect(html.match(/"og:|"twitter:|canonical|oembed|ld\+json/)).toBeNull();
      // Embed codes contain no link and no key.
      const codes = [...html.matchAll(/<input id="media-[^"]*"[^>]*value="([^"]*)"/g)].map(
        (match) => match[1],
      );
      expect(codes).toHaveLength(12);
      expect(codes.join()).not.toMatch(new RegExp(`${key}|/p/`));
    });

    it('accepts votes and reports with the key', async () => {
      const post = await make({ visibility: 'private' });
      const somebody = visitor(grace);
      await somebody.open(keyed(post));
      const vote = await somebody.submit(`/p/${post.slug}/vote`, { direction: 'up' });
      expect([vote.status, vote.location]).toEqual([303, keyed(post)]);
      const report = await somebody.submit('/reports', { reason: 'other' });
      expect([report.status, report.location]).toEqual([303, keyed(post)]);
      const follow = await somebody.submit('/u/ada/follow');
      expect(follow.location).toBe(keyed(post));
      expect((await ada.client.posts.get(post.slug)).score).toBe(1);
    });

    it('opens for its owner without the key, and shows them the key', async () => {
      const post = await make({ visibility: 'private' });
      const { status, headers, html } = await open(`/p/${post.slug}`, ada);
      expect([status, headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
      expect(html).toContain(`value="${stack.siteUrl}${keyed(post)}"`);
    });
  });

  it('is not indexed if feeds do not show it', async () => {
    const hidden = await make({ visibility: 'hidden' });
    const shown = await make();
    const robots = async (path: string) => (await open(path)).headers.get('X-Robots-Tag');
    expect(await robots(`/p/${hidden.slug}`)).toBe('noindex');
    expect(await robots(`/m/${media[0]!.slug}`)).toBe('noindex');
    expect(await robots(`/p/${shown.slug}`)).toBeNull();
  });

  it('covers adult content until the visitor opens it, and has no preview of it', async () => {
    const post = await make({ is_nsfw: true, title: 'Skin' });
    const path = `/p/${post.slug}`;
    const covered = await open(path);
    expect(covered.html).toContain('data-veil');
    expect(metaOf(covered.html, 'og:image')).toEqual([]);
    expect(metaOf(covered.html, 'rating')).toEqual(['adult']);
    const chose = visitor();
    chose.cookies.set('vitrine_nsfw', '1');
    expect((await chose.open(path)).html).not.toContain('data-veil');
    expect((await open(path, ada)).html).not.toContain('data-veil');
    const answer = await fetch(`${stack.siteUrl}/oembed?url=${stack.siteUrl}${path}`);
    expect(await answer.json()).toMatchObject({ type: 'link', title: 'Skin' });
  });

  it('shows the moderation state to its owner only', async () => {
    const [file] = await Promise.all([landscape('4.jpg', 300)]);
    const waiting = await upload(ada.client, file);
    const post = await make({ media_ids: [waiting.id] });
    const path = `/p/${post.slug}`;
    expect((await open(path, ada)).html).toContain('Being checked.');
    expect((await open(path)).html).not.toContain('Being checked.');
    await moderator.client.moderation.ruleOnPost(post.slug, { status: 'rejected', reason: 'test' });
    expect((await open(path, ada)).html).toContain('Rejected because it breaks the rules.');
    expect((await open(path)).status).toBe(404);
  });

  it('has as many pages as its media need', async () => {
    const files = await Promise.all(
      Array.from({ length: 18 }, (_, n) => landscape(`${n}.jpg`, n * 7, 60 + n, 40)),
    );
    const more: Media[] = [];
    for (const file of files) more.push(await upload(ada.client, file));
    const post = await make({ visibility: 'private', media_ids: [...media, ...more].map(({ id }) => id) });
    const first = await open(keyed(post));
    expect(first.html.split('class="post-media"')).toHaveLength(21);
    const next = text(/<a class="button" rel="next" href="([^"]*)"/.exec(first.html)?.[1] ?? '');
    expect(next).toContain(`key=${post.access_key ?? '?'}`);
    const second = await open(next);
    expect(second.html.split('class="post-media"')).toHaveLength(2);
    expect(second.html).toContain('Page 2 of 2');
    for (const page of ['0', '-1', 'x', '1e9', '99999999999']) {
      expect((await open(`${keyed(post)}&mediaPage=${page}`)).status).toBe(200);
    }
  });

  it('shows untrusted text as text only', async () => {
    for (const title of hostileTexts(255)) {
      await ada.client.media.update(media[1]!.slug, { title, alt_text: title, description: title });
      const post = await make({ title, description: HOSTILE_TEXTS.join('\n'), media_ids: [media[1]!.id] });
      for (const path of [`/p/${post.slug}`, `/m/${media[1]!.slug}`, `/e/${media[1]!.slug}`]) {
        const { status, html } = await open(path);
        expect(status).toBe(200);
        // The tags without the values of their attributes.
        const tags = html.replace(/="[^"]*"/g, '').match(/<[^<>]*>/g) ?? [];
        expect(tags.filter((tag) => tag.includes('xss-mark'))).toEqual([]);
        expect(html.match(/(?:href|src)="\s*javascript:[^"]*/gi)).toBeNull();
      }
      const { html } = await open(`/p/${post.slug}`);
      expect(jsonLdOf(html)).toMatchObject({ headline: title });
      expect(metaOf(html, 'og:title')).toEqual([title]);
      const oembed = await fetch(`${stack.siteUrl}/oembed?url=${stack.siteUrl}/p/${post.slug}`);
      expect(oembed.headers.get('Content-Type')).toContain('application/json');
      expect(await oembed.json()).toMatchObject({ title });
    }
  });

  describe('in frames of other sites', () => {
    it('shows one media item, and nothing about the viewer', async () => {
      const { status, headers, html } = await open(`/e/${media[0]!.slug}`, ada);
      expect(status).toBe(200);
      expect(headers.get('X-Frame-Options')).toBeNull();
      expect(headers.get('Content-Security-Policy')).toContain('frame-ancestors *');
      expect(headers.get('Set-Cookie')).toBeNull();
      expect(headers.get('Cache-Control')).toBe('public, max-age=60');
      expect(html).not.toMatch(/<script|<form|Log out|_token/);
    });

    it('can’t be any other page or an error page', async () => {
      const post = await make();
      for (const path of [`/p/${post.slug}`, `/m/${media[0]!.slug}`, '/e/nothere', '/']) {
        const { headers } = await open(path, ada);
        expect(headers.get('X-Frame-Options')).toBe('DENY');
        expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      }
    });
  });
});
