import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CreatedPost, Media } from '@vitrine/client';
import { eventually, type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { jsonLdOf, metaOf } from './support/page-metadata';
import { readPost } from './support/post-reader';
import { HOSTILE_TEXTS, hostileTexts } from './support/hostile-texts';
import { landscape } from './support/samples';
import { uploadByTicket } from './support/script-requests';

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
  const visitor = (person?: Person): FormVisitor => new FormVisitor(stack.siteUrl).logIn(person);
  const open = (path: string, person?: Person) => visitor(person).open(path);
  const keyed = ({ slug, access_key: key }: CreatedPost): string => `/p/${slug}?key=${key ?? ''}`;

  it('and a guest’s private page mark what changes by itself until everything is checked', async () => {
    const guest = new FormVisitor(stack.siteUrl);
    await guest.open('/upload');
    const file = await uploadByTicket(stack, guest, 345);
    const token = guest.cookies.get('vitrine_guest') ?? '';
    const post = await stack.client(token).posts.create({ media_ids: [file.id], visibility: 'public' });
    const page = async (): Promise<string> => (await guest.open(`/g/${token}?posted=${post.slug}`)).html;
    const waiting = await page();
    expect(waiting).toContain('It appears in the feeds after it has been checked.');
    expect(waiting.match(/data-due/g)).toHaveLength(3);
    await stack.sql("update posts set moderation_status = 'approved' where slug = $1", [post.slug]);
    await stack.sql("update media set moderation_status = 'approved' where slug = $1", [file.slug]);
    const checked = await page();
    expect(checked).toContain('It is in the feeds.');
    expect(checked).not.toContain('data-due');
  });

  // Promise [website]: Programs find the parts of a post in fixed places of its page.
  it('is read by programs that search the text of the page', async () => {
    const tags = ['hills', 'sea side'];
    const files = await Promise.all(
      Array.from({ length: 18 }, (_, n) => landscape(`${n}.jpg`, n * 7, 60 + n, 40)),
    );
    const all = [...media];
    for (const file of files) all.push(await upload(ada.client, file));
    const title = 'A <b> & "quoted" title, class="post-score">7</ /u/mallory" <!-- Tags -->';
    const post = await make({ title, tags, description: title, media_ids: all.map(({ id }) => id) });
    await visitor(grace).open(`/p/${post.slug}`);
    await grace.client.posts.upvote(post.slug);
    await grace.client.comments.create(post.slug, { content: title });
    await eventually(async () => expect((await ada.client.posts.get(post.slug)).view_count).toBe(1));

    const { html } = await open(`/p/${post.slug}`);

    expect(readPost(html, 'Vitrine')).toEqual({
      title,
      id: post.id,
      author: 'ada',
      score: 1,
      views: 1,
      tags,
      files: all.map(({ slug, id, urls }) => ({ slug, id, url: urls.original })),
    });
    for (const { slug, urls } of all) {
      const block = html.slice(html.indexOf(`data-id="${slug}"`));
      expect(block).toContain(`href="${urls.original}?download=A%20b%20%26%20quoted%20title%2C%20class`);
      for (const code of ['Direct link', 'HTML', 'Markdown', 'BBCode']) expect(block).toContain(`>${code}<`);
    }
  });

  // Promise [website]: All files of a post can be downloaded as one archive, byte for byte, with names in the order of the post.
  it('sends its files as an archive, only to those who may see the post', async () => {
    const files = [media[1]!, media[0]!];
    const post = await make({
      title: 'Fog/Nebel',
      visibility: 'private',
      media_ids: files.map(({ id }) => id),
    });
    expect((await open(keyed(post))).html).toContain(
      `href="/p/${post.slug}/files.zip?key=${post.access_key}"`,
    );
    const path = `/p/${post.slug}/files.zip?key=${post.access_key}`;
    expect((await open(path.replace(/.$/, '_'))).status).toBe(404);
    const answer = await fetch(stack.siteUrl + path);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="${post.slug}.zip"; filename*=UTF-8''Fog%20Nebel.zip`,
    );
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-archive-'));
    const [archive, reading] = [join(folder, 'a.zip'), promisify(execFile)];
    await writeFile(archive, Buffer.from(await answer.arrayBuffer()));
    await reading('unzip', ['-tqq', archive]);
    const { stdout: names } = await reading('unzip', ['-Z1', archive]);
    expect(names).toBe('01-Fog Nebel.jpg\n02-Fog Nebel.jpg\n');
    const { stdout: bytes } = await reading('unzip', ['-p', archive], { encoding: 'buffer' });
    const originals = await Promise.all(
      files.map(async ({ urls }) => Buffer.from(await (await fetch(urls.original)).arrayBuffer())),
    );
    expect(bytes.equals(Buffer.concat(originals))).toBe(true);
    await rm(folder, { recursive: true });
  });

  it.each([
    ['a guest', 'update posts set user_id = null where id = $1'],
    ['adult content', "update posts set moderation_status = 'nsfw' where id = $1"],
    [
      'videos',
      `update media set kind = 'video', mime = 'video/mp4', ext = 'mp4', duration = 63, processed = true
       where id in (select media_id from post_media where post_id = $1)`,
    ],
    [
      'videos that are being processed',
      `update media set kind = 'video', mime = 'video/quicktime', ext = 'mov', duration = 63, processed = false
       where id in (select media_id from post_media where post_id = $1)`,
    ],
  ])('is read by such programs if it is by or has %s', async (_, change) => {
    const own = [
      await upload(ada.client, await landscape('a.jpg', 12)),
      await upload(ada.client, await landscape('b.jpg', 24)),
    ];
    const post = await make({ title: 'Two', media_ids: own.map(({ id }) => id) });
    await stack.sql(change, [post.id]);

    const { author, files } = readPost((await open(`/p/${post.slug}`)).html, 'Vitrine');

    expect(author).toBe(change.includes('user_id = null') ? '' : 'ada');
    expect(
      files.map(({ slug, url }) => url.replace(/\.(jpg|mp4|mov)$/, '') === `${stack.cdnUrl}/f/${slug}`),
    ).toEqual([true, true]);
  });

  it('names no file to such programs for a media item that could not be processed', async () => {
    const [failed, whole] = [
      await upload(ada.client, await landscape('a.jpg', 36)),
      await upload(ada.client, await landscape('b.jpg', 48)),
    ];
    const post = await make({ media_ids: [failed.id, whole.id] });
    await stack.sql("update media set processing_error = 'broken' where slug = $1", [failed.slug]);

    const { html } = await open(`/p/${post.slug}`);

    expect(html).toContain('This file could not be processed: broken');
    expect(readPost(html, 'Vitrine').files).toEqual([
      { slug: whole.slug, id: whole.id, url: whole.urls.original },
    ]);
  });

  // Promise [website]: A visit counts one view, a frame or oEmbed none.
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
    // A third visit shows that nothing else is still to be counted.
    await open(`/p/${post.slug}`);
    await eventually(async () => expect(await views()).toBe(3));
  });

  // Promise [website]: Visitors vote, follow and report by form and by script.
  it('accepts and removes votes, by form and by script', async () => {
    const post = await make();
    const page = `/p/${post.slug}`;
    const member = visitor(grace);
    await member.open(page);
    const answer = await member.submit(`${page}/vote`, { direction: 'up' });
    expect([answer.status, answer.location]).toEqual([303, page]);
    const { html } = await member.open(page);
    expect(html).toMatch(/class="post-vote-score"[^>]*>1</);
    expect(html).toMatch(/value="up" aria-pressed="true"/);

    const fields = member.fieldsOf(`${page}/vote`);
    const json = { Accept: 'application/json' };
    const down = await member.post(`${page}/vote`, { ...fields, direction: 'down' }, json);
    expect(JSON.parse(down.html)).toMatchObject({ score: -1, vote: 'down' });
    // Sending the same form again doesn't remove the vote.
    await member.post(`${page}/vote`, { ...fields, direction: 'down' }, json);
    expect((await grace.client.posts.get(post.slug)).score).toBe(-1);
    const back = await member.post(`${page}/vote`, { ...fields, _form: 'another', direction: 'down' }, json);
    expect(JSON.parse(back.html)).toMatchObject({ score: 0, vote: null });
    const up = await member.post(`${page}/vote`, { ...fields, _form: 'third', direction: 'up' }, json);
    expect(JSON.parse(up.html)).toMatchObject({ score: 1, vote: 'up' });
    expect((await member.post(`${page}/vote`, { ...fields, direction: 'sideways' })).status).toBe(400);
  });

  it('sends visitors without a session to the login and back', async () => {
    const post = await make();
    const { html } = await open(`/p/${post.slug}`);
    const login = `/login?next=%2Fp%2F${post.slug}`;
    expect(html).toContain(`<a class="vote up" href="${login}"`);
    expect(html).toContain(`href="${login}" rel="nofollow">Follow`);
    const anonymous = visitor();
    await anonymous.open('/login');
    const fields = { ...anonymous.fieldsOf('/login'), direction: 'up' };
    expect(
      (await anonymous.post(`/p/${post.slug}/vote`, fields, { Accept: 'application/json' })).status,
    ).toBe(401);
    expect((await ada.client.posts.get(post.slug)).score).toBe(0);
  });

  it('can follow and unfollow its author, and redirects only within the site', async () => {
    const post = await make();
    const member = visitor(grace);
    const page = `/p/${post.slug}`;
    await member.open(page);
    expect((await member.submit('/u/ada/follow')).location).toBe(page);
    expect((await grace.client.users.get('ada')).isFollowedByUser).toBe(true);
    const { html } = await member.open(page);
    expect(html).toContain('Following');
    const answer = await member.submit('/u/ada/unfollow', { next: '//evil.example/' });
    expect(answer.location).toBe('/');
    expect((await grace.client.users.get('ada')).isFollowedByUser).toBe(false);
    expect((await open(page, ada)).html).not.toContain('/u/ada/follow');
  });

  describe('of a private post', () => {
    // Promise [website]: A private post opens with its key, which is not leaked.
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
      const member = visitor(grace);
      const { status, headers, html } = await member.open(keyed(post));
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
      const member = visitor(grace);
      await member.open(keyed(post));
      const vote = await member.submit(`/p/${post.slug}/vote`, { direction: 'up' });
      expect([vote.status, vote.location]).toEqual([303, keyed(post)]);
      const report = await member.submit('/reports', { reason: 'other' });
      expect([report.status, report.location]).toEqual([303, keyed(post)]);
      const follow = await member.submit('/u/ada/follow');
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

  // Promise [website]: Hidden and private posts have `noindex`.
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
    await moderator.client.moderation.ruleOnMedia(media[2]!.slug, { status: 'nsfw', reason: 'test' });
    const alone = await open(`/m/${media[2]!.slug}`);
    expect(alone.html).toContain('data-veil');
    expect(alone.html.match(/"og:|"twitter:|oembed|ld\+json/)).toBeNull();
    await moderator.client.moderation.ruleOnMedia(media[2]!.slug, { status: 'approved', reason: 'test' });
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
      expect(jsonLdOf(html)[0]).toMatchObject({ headline: title });
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

    // Promise [website]: Only embeds can be shown in frames.
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
