import { gzipSync } from 'node:zlib';
import type { Media } from '@vitrine/client';
import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { landscape } from './support/samples';
import { exists, logIn, reply, SCRIPT, send, uploadByTicket } from './support/script-requests';

describe('uploads and guests', () => {
  let stack: Stack;
  let ada: Person;
  let hue = 0;

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    ada = await stack.createPerson('ada');
  });
  afterAll(() => stack?.close());

  const newVisitor = (): FormVisitor => new FormVisitor(stack.siteUrl);
  const uploadAs = (visitor: FormVisitor): Promise<Media> => uploadByTicket(stack, visitor, (hue += 7));
  const guestToken = (visitor: FormVisitor): string => visitor.cookies.get('vitrine_guest') ?? '';

  describe('a ticket', () => {
    it('has a lifetime, belongs to the account, and creates no guest', async () => {
      const visitor = newVisitor();
      await logIn(visitor, ada);
      await visitor.open('/upload');

      const { body } = await send(visitor, '/upload/ticket');

      expect(body).toMatchObject({ ticket: expect.stringMatching(/^vtu_/), upload_url: stack.uploadUrl });
      expect(body['expires_in']).toBeGreaterThan(3500);
      expect(body['expires_in']).toBeLessThanOrEqual(3600);
      expect(body).not.toHaveProperty('guest_token');
      expect(visitor.cookies.has('vitrine_guest')).toBe(false);
      expect((await uploadAs(visitor)).user?.username).toBe('ada');
    });

    it('creates one guest in a browser, whose token no page or script can see', async () => {
      const visitor = newVisitor();
      await visitor.open('/upload');
      expect(visitor.cookies.has('vitrine_guest')).toBe(false);

      const media = await uploadAs(visitor);
      const token = guestToken(visitor);
      await uploadAs(visitor);

      expect(media.user).toBeNull();
      expect(token).toMatch(/^vtg_/);
      expect(guestToken(visitor)).toBe(token);
      expect(visitor.setCookies.find((line) => line.startsWith('vitrine_guest='))).toMatch(/HttpOnly/);
      expect((await visitor.open('/upload')).html).not.toContain(token);
    });

    it('is only for the visitor to whom the page was shown', async () => {
      const grace = await stack.createPerson('grace');
      const visitor = newVisitor();
      await logIn(visitor, ada);
      await visitor.open('/upload');
      const asAda = visitor.fieldsOf('/upload/ticket');
      visitor.cookies.delete('vitrine_session');
      await logIn(visitor, grace);
      const { _token } = (await visitor.open('/upload'), visitor.fieldsOf('/upload/ticket'));

      const other = reply(await visitor.post('/upload/ticket', { ...asAda, _token: _token! }, SCRIPT));
      expect(other.status).toBe(409);
      expect(other.body['message']).toMatch(/logged in as grace.*as ada/);
      expect((await visitor.open('/settings')).status).toBe(200);

      await visitor.open('/');
      await visitor.submit('/logout');
      const { _token: newToken } = (await visitor.open('/upload'), visitor.fieldsOf('/upload/ticket'));
      const refused = reply(await visitor.post('/upload/ticket', { ...asAda, _token: newToken! }, SCRIPT));
      expect(refused.status).toBe(401);
      expect(refused.body['log_in']).toMatch(/^\/login/);
      expect(visitor.cookies.has('vitrine_guest')).toBe(false);
    });

    it('is not given for a GET or to another site', async () => {
      const visitor = newVisitor();
      expect((await visitor.open('/upload/ticket')).status).toBe(404);
      await visitor.open('/upload');
      const fields = visitor.fieldsOf('/upload/ticket');
      const answer = await visitor.post('/upload/ticket', fields, {
        Origin: 'https://evil.example',
        'Sec-Fetch-Site': 'cross-site',
      });
      expect(answer.status).toBe(403);
      expect((await visitor.post('/upload/ticket', { as: '' })).status).toBe(403);
    });

    it('creates a new guest if the old one no longer exists', async () => {
      const visitor = newVisitor();
      await visitor.open('/upload');
      await uploadAs(visitor);
      const old = guestToken(visitor);
      await stack.client(old).guest.delete();

      await visitor.open('/upload');
      await uploadAs(visitor);

      expect(guestToken(visitor)).toMatch(/^vtg_/);
      expect(guestToken(visitor)).not.toBe(old);
    });
  });

  it('the upload page loads at most 23 KB of compressed scripts', async () => {
    const { html } = await newVisitor().open('/upload');
    const scripts = new Set([...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = '']) => path));
    let bytes = 0;
    // The set grows during the iteration with the chunks that scripts import; `import()` loads its chunks only if needed.
    for (const path of scripts) {
      const text = await (await fetch(stack.siteUrl + path)).text();
      for (const [, chunk] of text.matchAll(/(?:from|import)\s*"\.\/(chunk-\w+\.js)"/g))
        scripts.add(`/assets/${chunk}`);
      bytes += gzipSync(text).byteLength;
    }
    expect(scripts.size).toBeGreaterThanOrEqual(2);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(23_000);
  });

  // Promise [website]: Each file shows its state.
  it('return the state of a file, also if many newer files exist', async () => {
    const visitor = newVisitor();
    await visitor.open('/upload');
    const first = await uploadAs(visitor);
    const guest = stack.client(guestToken(visitor));
    const { ticket } = await guest.uploadTickets.create();
    const { buffer } = await landscape('small.jpg', 3, 16, 16);
    const others = await Promise.all(
      // Extra bytes after the end of a picture make it a different file.
      Array.from({ length: 24 }, (_, i) =>
        stack.client(ticket).media.upload(Buffer.concat([buffer, Buffer.of(i)])),
      ),
    );

    const { html, headers } = await visitor.open(`/upload/state?as=&slugs=${first.slug},nothing`, SCRIPT);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(JSON.parse(html)).toEqual({
      media: [
        {
          id: first.id,
          slug: first.slug,
          type: 'image/jpeg',
          processed: false,
          moderation_status: 'pending',
          processing_error: null,
          urls: { original: first.urls.original, thumb: first.urls.thumb, xl: first.urls.xl },
        },
      ],
    });
    const all = [first, ...others].map(({ slug }) => slug).join(',');
    const every = JSON.parse((await visitor.open(`/upload/state?as=&slugs=${all}`, SCRIPT)).html) as {
      media: readonly object[];
    };
    expect(every.media).toHaveLength(25);
  });

  describe('a post', () => {
    it('is created with the visitor’s files and texts, only once if the form is sent twice', async () => {
      const visitor = newVisitor();
      await logIn(visitor, ada);
      await visitor.open('/upload');
      const media = [await uploadAs(visitor), await uploadAs(visitor)];
      const fields = {
        media: media.map(({ id }) => String(id)).reverse(),
        title: ' Harbour ',
        description: 'One\r\ntwo',
        tags: '#Sea, Night walk,',
        visibility: 'hidden',
        nsfw: '1',
      };

      const [first, second] = [
        await send(visitor, '/upload', fields),
        await send(visitor, '/upload', fields),
      ];

      expect(first.status).toBe(200);
      expect(second.body['location']).toBe(first.body['location']);
      const post = await ada.client.posts.get(String(first.body['slug']));
      expect(post).toMatchObject({
        title: 'Harbour',
        description: 'One\ntwo',
        tags: ['sea', 'night walk'],
        visibility: 'hidden',
        moderation_status: 'nsfw',
      });
      expect(post.media.map(({ slug }) => slug)).toEqual(media.map(({ slug }) => slug).reverse());
      expect((await visitor.open(String(first.body['location']))).html).toContain('Posted.');
    });

    it('shows errors beside their fields', async () => {
      const visitor = newVisitor();
      await logIn(visitor, ada);
      await visitor.open('/upload');
      const { id } = await uploadAs(visitor);

      const long = await send(visitor, '/upload', { media: String(id), title: 'x'.repeat(256), tags: 'a!b' });
      expect(long.status).toBe(422);
      expect(Object.keys(long.body['errors'] as object).sort()).toEqual(['tags', 'title']);

      for (const media of [[], ['0'], ['x'], [String(id), '999999999'], [String(id), String(id)]]) {
        const { status, body } = await send(visitor, '/upload', { media, visibility: 'public' });
        expect([media, status]).toEqual([media, 422]);
        expect(body['errors']).toEqual({ media: [expect.stringMatching(/1 to 50 files/)] });
      }
    });

    it('is private if the form has no visibility', async () => {
      const visitor = newVisitor();
      await logIn(visitor, ada);
      await visitor.open('/upload');
      const { id } = await uploadAs(visitor);
      const { body } = await send(visitor, '/upload', { media: String(id), visibility: 'everybody!' });
      expect((await ada.client.posts.get(String(body['slug']))).visibility).toBe('private');
    });

    it('is not created with someone else’s files', async () => {
      const [mallory, guest] = [newVisitor(), newVisitor()];
      await guest.open('/upload');
      const media = await uploadAs(guest);
      await mallory.open('/upload');
      await uploadAs(mallory);

      const { status } = await send(mallory, '/upload', { media: String(media.id), visibility: 'public' });
      expect(status).toBe(422);
      const discard = await send(mallory, '/upload/discard', { slug: media.slug });
      expect(discard.status).toBe(403);
      expect(await exists(stack, media.slug)).toBe(true);
      const { html } = await mallory.open(`/upload/state?as=&slugs=${media.slug}`, SCRIPT);
      expect(JSON.parse(html)).toEqual({ media: [] });
    });

    it('can only be extended by its owner', async () => {
      const visitor = newVisitor();
      await logIn(visitor, ada);
      await visitor.open('/upload');
      const made = await send(visitor, '/upload', {
        media: String((await uploadAs(visitor)).id),
        title: 'To be <continued>',
        visibility: 'public',
      });
      const slug = String(made.body['slug']);

      const page = await visitor.open(`/upload?post=${slug}`);
      expect(page.html).toContain('To be &lt;continued>');
      const { id } = await uploadAs(visitor);
      const added = await send(visitor, '/upload', { media: String(id) });
      expect(added.body['location']).toBe(`/p/${slug}`);
      expect((await ada.client.posts.get(slug)).media_count).toBe(2);

      const other = newVisitor();
      expect((await other.open(`/upload?post=${slug}`)).status).toBe(403);
      expect((await other.open('/upload?post=nothing')).status).toBe(404);
    });
  });

  describe('a guest', () => {
    const postAsGuest = async (
      visitor: FormVisitor,
      visibility = 'public',
    ): Promise<{ media: Media; path: string; slug: string }> => {
      await visitor.open('/upload');
      const media = await uploadAs(visitor);
      const { body } = await send(visitor, '/upload', { media: String(media.id), title: 'Mine', visibility });
      return { media, path: String(body['location']), slug: String(body['slug']) };
    };

    it('is redirected to a private page that is not cached, indexed or leaked', async () => {
      const visitor = newVisitor();
      const { path, slug } = await postAsGuest(visitor);
      expect(path).toBe(`/g/${guestToken(visitor)}?posted=${slug}`);

      const { html, headers, status } = await visitor.open(path);

      expect(status).toBe(200);
      expect(headers.get('Cache-Control')).toBe('private, no-store');
      expect(headers.get('Referrer-Policy')).toBe('strict-origin');
      expect(headers.get('X-Robots-Tag')).toBe('noindex');
      expect(html).toContain('Your post is online');
      expect(html).toContain(`value="${stack.siteUrl}/p/${slug}"`);
      expect(html).toContain(`value="${stack.siteUrl}/g/${guestToken(visitor)}"`);
      expect((await visitor.open('/guest')).location).toBe(`/g/${guestToken(visitor)}`);
    });

    it('finds the key of a private post there', async () => {
      const visitor = newVisitor();
      const { path, slug } = await postAsGuest(visitor, 'private');
      const { html } = await visitor.open(path);
      const [, key = ''] = new RegExp(`/p/${slug}\\?key=(\\w+)`).exec(html) ?? [];
      expect(html).toContain('Only people with the secret link can see it.');
      expect((await newVisitor().open(`/p/${slug}?key=${key}`)).status).toBe(200);
    });

    it('can delete with the link from any browser, also if someone else is logged in', async () => {
      const { media, path, slug } = await postAsGuest(newVisitor());
      const elsewhere = newVisitor();
      await logIn(elsewhere, ada);
      const token = path.slice('/g/'.length).split('?')[0]!;
      await elsewhere.open(`/g/${token}`);

      expect((await elsewhere.submit(`/g/${token}/posts/delete`)).location).toBe(`/g/${token}`);
      await expect(stack.client().posts.get(slug)).rejects.toMatchObject({ code: 'not_found' });
      const page = await elsewhere.open(`/g/${token}`);
      expect(page.html).toContain('The post was deleted. Its files were deleted too.');
      expect(await exists(stack, media.slug)).toBe(false);
      // Ada is still logged in.
      expect((await elsewhere.open('/settings')).status).toBe(200);
    });

    it('can delete everything, and then the link stops working', async () => {
      const visitor = newVisitor();
      const { media } = await postAsGuest(visitor);
      const token = guestToken(visitor);
      await visitor.open(`/g/${token}`);

      expect((await visitor.submit(`/g/${token}/delete`)).location).toBe('/');

      expect(visitor.cookies.has('vitrine_guest')).toBe(false);
      const page = await visitor.open(`/g/${token}`);
      expect([page.status, page.headers.get('Cache-Control')]).toEqual([404, 'private, no-store']);
      expect(await exists(stack, media.slug)).toBe(false);
    });

    it('can’t reach another guest’s uploads through their own link', async () => {
      const [victim, mallory] = [newVisitor(), newVisitor()];
      const { media, slug } = await postAsGuest(victim);
      await postAsGuest(mallory);
      const own = guestToken(mallory);
      await mallory.open(`/g/${own}`);

      const fields = mallory.fieldsOf(`/g/${own}/delete`);
      const ofMedia = await mallory.post(`/g/${own}/media/delete`, { ...fields, slug: media.slug });
      const ofPost = await mallory.post(`/g/${own}/posts/delete`, { ...fields, slug });
      expect([ofMedia.status, ofPost.status]).toEqual([403, 403]);

      expect(await exists(stack, media.slug)).toBe(true);
      expect((await stack.client().posts.get(slug)).title).toBe('Mine');
    });

    it.each(['vtg_x', `vtg_${'0'.repeat(40)}`, `vts_${'0'.repeat(40)}`, '..%2fposts', '%00'])(
      'does not exist at /g/%s',
      async (token) => {
        const visitor = newVisitor();
        await logIn(visitor, ada);
        const { status, html } = await visitor.open(`/g/${token}`);
        expect(status).toBe(404);
        expect(html).not.toMatch(/stack|exception/i);
        expect((await visitor.open('/settings')).status).toBe(200);
      },
    );

    it('can’t reach a member’s uploads by putting a session into the link', async () => {
      const { status } = await newVisitor().open(`/g/${ada.session}`);
      expect(status).toBe(404);
    });

    it('stays a guest on a page that was open when they logged in', async () => {
      const visitor = newVisitor();
      await visitor.open('/upload');
      const media = await uploadAs(visitor);
      const asGuest = visitor.fieldsOf('/upload');
      await logIn(visitor, ada);
      const page = await visitor.open('/upload');
      expect(page.html).toContain('Move them to my account');
      const { _token } = visitor.fieldsOf('/upload');

      const { status, body } = reply(
        await visitor.post(
          '/upload',
          { ...asGuest, _token: _token!, media: String(media.id), visibility: 'public' },
          SCRIPT,
        ),
      );

      expect(status).toBe(200);
      expect((await stack.client().posts.get(String(body['slug']))).user).toBeNull();
    });

    it('gets an error if their uploads no longer exist, and nobody is logged out', async () => {
      const visitor = newVisitor();
      await visitor.open('/upload');
      const media = await uploadAs(visitor);
      await logIn(visitor, ada);
      await visitor.open('/upload');
      await stack.client(guestToken(visitor)).guest.delete();

      const { status, body } = await send(visitor, '/upload', { as: '', media: String(media.id) });

      expect([status, body['message']]).toEqual([409, expect.stringMatching(/no longer exist/)]);
      expect((await visitor.open('/settings')).status).toBe(200);
    });
  });
});
