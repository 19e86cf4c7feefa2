import type { Media } from '@vitrine/client';
import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

describe('editing without scripts', () => {
  let stack: Stack;
  let owner: Person;
  let stranger: Person;
  let media: Media[];

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [owner, stranger] = await Promise.all([stack.createPerson('owner'), stack.createPerson('stranger')]);
    const files = await Promise.all([10, 90, 170, 250].map((hue) => landscape(`${hue}.jpg`, hue, 90, 60)));
    media = await Promise.all(files.map((file) => upload(owner.client, file)));
  });
  afterAll(() => stack?.close());

  /** A post of the owner's first three media. */
  const newPost = async (): Promise<string> =>
    (
      await owner.client.posts.create({
        media_ids: media.slice(0, 3).map(({ id }) => id),
        title: 'Hills',
        description: 'From the north.',
        tags: ['hills'],
      })
    ).slug;
  const asVisitor = (person?: Person): FormVisitor => new FormVisitor(stack.siteUrl).logIn(person);
  const slugs = (): string[] => media.map(({ slug }) => slug);
  const orderOf = async (slug: string): Promise<string[]> =>
    (await owner.client.posts.get(slug)).media.map((one) => one.slug);

  it('changes the details of a post with one form', async () => {
    const slug = await newPost();
    const visitor = asVisitor(owner);
    const page = await visitor.open(`/p/${slug}/edit`);
    expect(page.headers.get('Cache-Control')).toContain('no-store');
    expect(visitor.fieldsOf(`/p/${slug}/edit`)).toMatchObject({
      title: 'Hills',
      description: 'From the north.',
      tags: 'hills',
      visibility: 'public',
    });

    const saved = await visitor.submit(`/p/${slug}/edit`, {
      title: '  A title with <b> & "quotes" ',
      description: 'One\r\n\r\nTwo',
      tags: 'Walks, #green,, hills，grün',
      visibility: 'hidden',
      is_nsfw: '1',
    });

    expect([saved.status, saved.location]).toEqual([303, `/p/${slug}`]);
    expect(await owner.client.posts.get(slug)).toMatchObject({
      title: 'A title with <b> & "quotes"',
      description: 'One\n\nTwo',
      tags: expect.arrayContaining(['walks', 'green', 'hills', 'grün']) as string[],
      visibility: 'hidden',
      moderation_status: 'nsfw',
    });
    await visitor.open(`/p/${slug}/edit`);
    expect(visitor.fieldsOf(`/p/${slug}/edit`)).toMatchObject({ is_nsfw: '1', was_nsfw: '1' });
    await visitor.submit(`/p/${slug}/edit`, { title: '', description: '', tags: '', is_nsfw: [] });
    expect(await owner.client.posts.get(slug)).toMatchObject({
      title: null,
      description: null,
      tags: [],
      visibility: 'hidden',
      moderation_status: 'pending',
    });
  });

  // Promise [website]: The owner of a private post sees its secret link.
  it('shows the secret link when a post is private, and keeps the key', async () => {
    const slug = await newPost();
    const visitor = asVisitor(owner);
    await visitor.open(`/p/${slug}/edit`);
    const saved = await visitor.submit(`/p/${slug}/edit`, { visibility: 'private' });
    const { access_key: key } = await owner.client.posts.get(slug);
    const page = await visitor.open(saved.location!);
    expect(page.html).toContain(`${stack.siteUrl}/p/${slug}?key=${key}`);
    await visitor.open(`/p/${slug}/edit`);
    await visitor.submit(`/p/${slug}/edit`, { title: 'Another' });
    expect(await owner.client.posts.get(slug)).toMatchObject({ visibility: 'private', access_key: key });
    expect((await asVisitor().open(`/p/${slug}?key=${key}`)).status).toBe(200);
    expect((await asVisitor(stranger).open(`/p/${slug}/edit`)).status).toBe(404);
  });

  it('shows errors beside the field, and keeps typed text', async () => {
    const slug = await newPost();
    const visitor = asVisitor(owner);
    await visitor.open(`/p/${slug}/edit`);
    const typed = { title: 'x'.repeat(256), description: 'Kept', tags: 'good, b*d' };

    const refused = await visitor.submit(`/p/${slug}/edit`, { ...typed, visibility: 'private' });

    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="field-title-error"[^>]*>[^<]*255 characters/);
    expect(refused.html).toMatch(/id="field-tags-error"[^>]*>[^<]+/);
    expect(visitor.fieldsOf(`/p/${slug}/edit`)).toMatchObject({ ...typed, visibility: 'private' });
    expect((await owner.client.posts.get(slug)).visibility).toBe('public');
  });

  it('reorders media by buttons', async () => {
    const slug = await newPost();
    const [a, b, c] = slugs() as [string, string, string];
    const visitor = asVisitor(owner);
    const { html } = await visitor.open(`/p/${slug}/edit`);
    expect(html).toContain(`form="media-order" name="move" value="${b} up"`);

    const moved = await visitor.submit(`/p/${slug}/order`, { move: `${b} up` });

    expect([moved.status, moved.location]).toEqual([303, `/p/${slug}/edit#editor-files`]);
    expect(await orderOf(slug)).toEqual([b, a, c]);
    await visitor.open(`/p/${slug}/edit`);
    await visitor.submit(`/p/${slug}/order`, { move: `${b} down` });
    expect(await orderOf(slug)).toEqual([a, b, c]);
    const nonsense = await visitor.submit(`/p/${slug}/order`, { order: `${a},${a}` });
    expect(nonsense.status).toBe(422);
    expect(nonsense.html).toContain('The post has changed in the meantime.');
    expect(await orderOf(slug)).toEqual([a, b, c]);
  });

  it('removes media, and adds media from the owner’s uploads', async () => {
    const slug = await newPost();
    const [a, b, c, d] = slugs() as [string, string, string, string];
    const visitor = asVisitor(owner);
    await visitor.open(`/p/${slug}/edit`);
    await visitor.submit(`/p/${slug}/media`, { remove: b });
    expect(await orderOf(slug)).toEqual([a, c]);
    // A removed media item still exists.
    expect((await owner.client.media.get(b)).slug).toBe(b);

    const picker = await visitor.open(`/p/${slug}/media`);
    expect(picker.html.match(/name="media_ids" value="\d+" disabled/g)).toHaveLength(2);
    expect((await visitor.submit(`/p/${slug}/media`)).status).toBe(422);
    const ids = [d, b].map((one) => String(media.find((of) => of.slug === one)!.id));
    await visitor.open(`/p/${slug}/media`);
    const added = await visitor.submit(`/p/${slug}/media`, { media_ids: ids });
    expect([added.status, added.location]).toEqual([303, `/p/${slug}/edit#editor-files`]);
    expect(await orderOf(slug)).toEqual([a, c, d, b]);

    for (const one of [a, c, d]) {
      await visitor.open(`/p/${slug}/edit`);
      await visitor.submit(`/p/${slug}/media`, { remove: one });
    }
    await visitor.open(`/p/${slug}/edit`);
    const last = await visitor.submit(`/p/${slug}/media`, { remove: b });
    expect(last.status).toBe(422);
    expect(await orderOf(slug)).toEqual([b]);
  });

  it('edits details of media, and deletes them', async () => {
    const one = await upload(owner.client, await landscape('gone.jpg', 300, 90, 60));
    const visitor = asVisitor(owner);
    await visitor.open(`/m/${one.slug}/edit?next=%2Ftags`);
    const saved = await visitor.submit(`/m/${one.slug}/edit`, {
      title: 'Moon',
      alt_text: 'The moon over hills',
      description: 'Late\r\nin the year',
    });
    expect([saved.status, saved.location]).toEqual([303, '/tags']);
    expect(await owner.client.media.get(one.slug)).toMatchObject({
      title: 'Moon',
      alt_text: 'The moon over hills',
      description: 'Late\nin the year',
    });
    await visitor.open(`/m/${one.slug}/edit`);
    const refused = await visitor.submit(`/m/${one.slug}/edit`, { title: 'x'.repeat(300) });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="media-\w+-title-error"/);

    const deleted = await visitor.submit(`/m/${one.slug}/delete`);
    expect([deleted.status, deleted.location]).toEqual([303, '/u/owner/media']);
    expect((await asVisitor().open(`/m/${one.slug}`)).status).toBe(404);
  });

  // Promise [website]: Deleting a post keeps its files.
  it('deletes a post, but not its files', async () => {
    const slug = await newPost();
    const visitor = asVisitor(owner);
    await visitor.open(`/p/${slug}/edit`);
    const deleted = await visitor.submit(`/p/${slug}/delete`);
    expect([deleted.status, deleted.location]).toEqual([303, '/u/owner']);
    expect((await visitor.open(`/p/${slug}`)).status).toBe(404);
    expect((await owner.client.media.get(media[0]!.slug)).slug).toBe(media[0]!.slug);
  });

  it('is allowed only for the owner', async () => {
    const slug = await newPost();
    const [a] = slugs() as [string];
    for (const path of [`/p/${slug}/edit`, `/p/${slug}/media`, `/m/${a}/edit`]) {
      const anonymous = await asVisitor().open(path);
      expect([anonymous.status, anonymous.location]).toEqual([
        303,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
      expect((await asVisitor(stranger).open(path)).status).toBe(403);
    }
    expect((await asVisitor(stranger).open(`/p/${slug}`)).html).not.toContain('/edit');
    const attacker = asVisitor(stranger);
    await attacker.open('/');
    const { _token } = attacker.fieldsOf('/logout');
    const before = await owner.client.posts.get(slug);
    for (const [path, fields] of [
      [`/p/${slug}/edit`, { title: 'Mine', visibility: 'public' }],
      [`/p/${slug}/order`, { order: slugs().slice(0, 3).reverse().join(',') }],
      [`/p/${slug}/media`, { remove: a }],
      [`/p/${slug}/media`, { media_ids: String(media[3]!.id) }],
      [`/p/${slug}/delete`, {}],
      [`/m/${a}/edit`, { title: 'Mine' }],
      [`/m/${a}/delete`, {}],
    ] as const) {
      expect([path, (await attacker.post(path, { ...fields, _token: _token! })).status]).toEqual([path, 403]);
    }
    const after = await owner.client.posts.get(slug);
    expect(after).toEqual({ ...before, view_count: after.view_count });
  });

  it('is allowed for a guest in the browser that uploaded', async () => {
    const site = stack.client().withToken(undefined);
    const { guest_token: token, ticket } = await guestTicket();
    const guest = site.withToken(token);
    const one = await upload(site.withToken(ticket), await landscape('guest.jpg', 330, 90, 60));
    const { slug } = await guest.posts.create({
      media_ids: [one.id],
      title: 'A guest’s',
      visibility: 'private',
    });
    const visitor = asVisitor();
    visitor.cookies.set('vitrine_guest', token);
    await visitor.open(`/p/${slug}/edit`);

    const saved = await visitor.submit(`/p/${slug}/edit`, { title: 'Renamed' });

    const { access_key: key, title } = await guest.posts.get(slug);
    expect(title).toBe('Renamed');
    expect(saved.location).toBe(`/p/${slug}?key=${key}`);
    expect((await visitor.open(`/p/${slug}/media`)).html).toContain('picker-item');
    expect((await asVisitor().open(`/p/${slug}/edit`)).status).toBe(303);
  });

  /** Gets a guest as the upload page does. */
  async function guestTicket(): Promise<{ guest_token: string; ticket: string }> {
    const response = await fetch(`${stack.apiUrl}/upload-tickets`, {
      method: 'POST',
      headers: { 'X-Vitrine-Site-Key': stack.siteServiceKey, 'X-Vitrine-Visitor': '10.1.2.3' },
    });
    return (await response.json()) as { guest_token: string; ticket: string };
  }
});
