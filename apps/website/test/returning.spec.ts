import { borrowStack, eventually, type Person, type Stack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

describe('reasons to come back', () => {
  let stack: Stack;
  let ada: Person;
  let grace: Person;
  let slug: string;

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [ada, grace] = [await stack.createPerson('ada'), await stack.createPerson('grace')];
    const media = await upload(ada.client, await landscape('hills.jpg', 80, 90, 60));
    slug = (await ada.client.posts.create({ media_ids: [media.id], title: 'Fog on the hills' })).slug;
    const moderator = await stack.createPerson('mo_derator', { role: 'moderator' });
    await moderator.client.moderation.ruleOnMedia(media.slug, { status: 'approved', reason: 'Hills.' });
  });
  afterAll(() => stack?.close());

  const as = (person: Person | null): FormVisitor => new FormVisitor(stack.siteUrl).logIn(person);

  // Promise [website]: Posts can be saved, and put into collections that are private or open to everyone with the link.
  it('saves a post and puts it into a new collection, without scripts, and shares the collection', async () => {
    const visitor = as(grace);
    await visitor.open(`/p/${slug}`);
    expect(await visitor.submit(`/p/${slug}/save`)).toMatchObject({ status: 303, location: `/p/${slug}` });
    expect((await visitor.open('/saved')).html).toContain('Fog on the hills');

    await visitor.open(`/p/${slug}`);
    await visitor.submit(`/p/${slug}/collections`, { new: 'Weather' });
    const collection = (await grace.client.collections.list({ post: slug })).find(
      ({ name }) => name === 'Weather',
    );
    expect(collection).toMatchObject({ contains: true, visibility: 'private' });
    const path = `/c/${collection?.slug ?? ''}`;
    expect((await as(ada).open(path)).status).toBe(404);

    await visitor.open(path);
    expect(await visitor.submit(path, { name: 'Fog', visibility: 'hidden' })).toMatchObject({
      location: path,
    });
    const { html } = await as(null).open(path);
    expect(html).toContain('<h1 dir="auto">Fog</h1>');
    expect(html).toContain('Fog on the hills');
    expect(html).not.toContain('New collection');
  });

  // Promise [website]: A notification is read when its link is followed.
  it('marks a notification as read when its link is followed, but not for another site or a prefetch', async () => {
    await grace.client.comments.create(slug, { content: 'See this, @ada and @nobody_at_all!' });
    await grace.client.comments.create(slug, { content: 'And @mo_derator' });
    const [latest] = (await ada.client.me.notifications.list()).data;
    expect(latest).toMatchObject({ kind: 'comment', user: { username: 'grace' } });
    const visitor = as(ada);
    const { html } = await visitor.open('/notifications');
    const link = /href="(\/notifications\/\d+\?[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const unread = async (): Promise<number> => (await ada.client.me.notifications.list()).unread;
    const before = await unread();
    await visitor.open(link, { 'Sec-Fetch-Site': 'cross-site' });
    await visitor.open(link, { 'Sec-Purpose': 'prefetch' });
    expect(await unread()).toBe(before);
    const { status, location } = await visitor.open(link);
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/(p|u)\//)]);
    expect(await unread()).toBe(before - 1);
    const away = await visitor.open(link.replace(/to=.*/, 'to=https%3A%2F%2Fevil.example'));
    expect(away.location).toBe('/');
  });

  // Promise [website]: Visitors can report an item without an account.
  it('takes the report of a visitor without an account to the moderators', async () => {
    const visitor = as(null);
    await visitor.open(`/reports?type=post&target=${slug}&next=/p/${slug}`);
    const sent = await visitor.submit('/reports', {
      reason: 'copyright',
      details: 'My picture.',
      contact: 'eve@example.org',
    });
    expect(sent).toMatchObject({ status: 303, location: `/p/${slug}` });
    const moderator = await stack.createPerson('second_mo', { role: 'moderator' });
    const [entry] = (await moderator.client.moderation.queue.list()).data.filter(
      ({ post }) => post?.slug === slug,
    );
    expect(entry?.latest_reports).toMatchObject([
      { reporter: null, contact: 'eve@example.org', reason: 'copyright', details: 'My picture.' },
    ]);
    expect((await as(moderator).open('/moderation')).html).toContain('a visitor (eve@example.org)');
  });

  it('takes the report of a member, and shows errors', async () => {
    const member = as(grace);
    await member.open(`/p/${slug}`);
    const wrong = await member.submit('/reports', { reason: 'boredom', details: 'Yawn' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('The selected reason is invalid.');
    expect(wrong.html).toContain('Yawn');
    const sent = await member.submit('/reports', { reason: 'copyright', details: 'It is mine.' });
    expect([sent.status, sent.location]).toEqual([303, `/p/${slug}`]);
    expect((await member.open('/')).html).toContain('A moderator will review it.');
    for (const next of ['https://evil.example', '//evil.example&key=k']) {
      const { html } = await as(null).open(`/reports?type=comment&target=1&next=${next}`);
      expect(html).toContain('name="next" value="/"');
    }
  });

  it('remembers light or dark colours', async () => {
    const visitor = as(null);
    await visitor.open('/preferences');
    await visitor.submit('/preferences', { theme: 'light', nsfw: 'hide' });
    const { html } = await visitor.open('/');
    expect(html).toContain('<meta name="color-scheme" content="light"/>');
    expect(html).not.toContain('/assets/dark-');
  });

  // Promise [website]: Owners see the views of a post by day, and which sites led to it.
  it('shows owners from where people came to their post', async () => {
    for (const from of ['http://10.1.2.3/wiki', 'https://www.example.org/a/page?with=secrets'])
      await as(null).open(`/p/${slug}`, { Referer: from });
    await eventually(async () => {
      const { html } = await as(ada).open(`/p/${slug}/statistics`);
      expect(html).toContain('example.<wbr/>org');
      expect(html).not.toMatch(/secrets|10\.<wbr/);
    });
    expect((await as(grace).open(`/p/${slug}/statistics`)).status).toBe(403);
  });
});
