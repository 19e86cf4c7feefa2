import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { upload } from './support/gallery';
import { landscape } from './support/samples';

describe('profile pages', () => {
  let stack: Stack;
  let ada: Person;
  let grace: Person;
  const posts = { public: '', hidden: '', private: '', nsfw: '' };

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [ada, grace] = [await stack.createPerson('Ada'), await stack.createPerson('grace')];
    const media = await upload(ada.client, await landscape('hills.jpg', 80, 90, 60));
    for (const visibility of ['public', 'hidden', 'private'] as const) {
      const post = await ada.client.posts.create({
        media_ids: [media.id],
        title: `A ${visibility} one`,
        visibility,
      });
      posts[visibility] = post.slug;
    }
    posts.nsfw = (
      await ada.client.posts.create({ media_ids: [media.id], title: 'An nsfw one', is_nsfw: true })
    ).slug;
    const moderator = await stack.createPerson('mo_derator', { role: 'moderator' });
    await moderator.client.moderation.ruleOnMedia(media.slug, { status: 'approved', reason: 'Hills.' });
    await ada.client.comments.create(posts.public, { content: 'In <i>public</i>' });
    await ada.client.comments.create(posts.private, { content: 'In private' });
    await ada.client.me.update({ bio: 'A "bio" with <b>marks</b>' });
    await grace.client.users.follow('ada');
  });
  afterAll(() => stack?.close());

  const as = (person: Person | null): FormVisitor => new FormVisitor(stack.siteUrl).logIn(person);
  const titles = (html: string): string[] =>
    [...html.matchAll(/class="tile-title[^>]*>([^<]*)</g)].map(([, title = '']) => title);

  // Promise [website]: A profile shows public items, comments, followers and followed users.
  it('show only public items to others', async () => {
    for (const viewer of [null, grace]) {
      const { status, html } = await as(viewer).open('/u/Ada');

      expect(status).toBe(200);
      expect(html).toContain('<title>Ada - Vitrine</title>');
      expect(titles(html)).toEqual(['A public one']);
      expect(html).not.toMatch(/A hidden one|A private one|Edit profile/);
      expect(html).toContain('with &lt;b>marks&lt;/b>');
      expect(html).not.toContain('<b>marks');
    }
  });

  it('show all items and their state to the owner', async () => {
    const { html } = await as(ada).open('/u/ada');

    expect(titles(html)).toEqual(['An nsfw one', 'A private one', 'A hidden one', 'A public one']);
    for (const badge of ['Unlisted', 'Private', 'NSFW']) expect(html).toContain(badge);
    expect(html).toContain('Edit profile');
    expect(html).not.toContain('/u/Ada/follow"');
    // The number of items on the page, not the number that others can see.
    expect(html).toMatch(/>Posts<span class="count">4</);
  });

  it('distinguish missing posts from missing uploads', async () => {
    const person = await stack.createPerson('collector');
    expect((await as(person).open('/u/collector/media')).html).toContain('not uploaded anything yet');
    await upload(person.client, await landscape('shelf.jpg', 40, 90, 60));

    expect((await as(person).open('/u/collector')).html).toContain('not posted anything yet');
    expect((await as(person).open('/u/collector/media')).html).not.toContain('anything yet');
  });

  it('have one address, whatever the case', async () => {
    const { status, html } = await as(null).open('/u/aDA/media');

    expect(status).toBe(200);
    expect(html).toContain(`<link rel="canonical" href="${stack.siteUrl}/u/Ada/media"/>`);
  });

  it('list comments with their posts, and none on private posts', async () => {
    const others = await as(null).open('/u/Ada/comments');
    expect(others.html).toContain('In &lt;i>public&lt;/i>');
    expect(others.html).toMatch(new RegExp(`href="/p/${posts.public}\\?comment=\\d+#c\\d+"`));
    expect(others.html).not.toContain('In private');
    expect((await as(ada).open('/u/Ada/comments')).html).toContain('In private');
  });

  it('list followers and followed users', async () => {
    expect((await as(null).open('/u/ada/followers')).html).toContain(
      '<a class="person-name" href="/u/grace">',
    );
    expect((await as(null).open('/u/grace/following')).html).toContain(
      '<a class="person-name" href="/u/Ada">',
    );
    expect((await as(null).open('/u/grace/followers')).html).toContain('No followers yet.');
  });

  it('allow to follow and unfollow', async () => {
    const visitor = as(await stack.createPerson('fan'));
    await visitor.open('/u/Ada/media');

    const answer = await visitor.submit('/u/Ada/follow');
    expect([answer.status, answer.location]).toEqual([303, '/u/Ada/media']);
    await visitor.open('/u/Ada/media');
    await visitor.submit('/u/Ada/unfollow');

    expect((await stack.client().users.followers('Ada').list()).data.map(({ username }) => username)).toEqual(
      ['grace'],
    );
  });

  // Promise [website]: Accounts can be muted and blocked without scripts.
  it('allow to mute and block, without scripts, and to end both', async () => {
    const fan = await stack.createPerson('hermit');
    const visitor = as(fan);
    await visitor.open('/u/grace');
    expect(await visitor.submit('/u/grace/mute')).toMatchObject({ status: 303, location: '/u/grace' });
    const muted = await visitor.open('/settings/mutes');
    expect(muted.html).toContain('href="/u/grace"');
    expect(await visitor.submit('/u/grace/unmute')).toMatchObject({ location: '/settings/mutes' });
    expect((await visitor.open('/settings/mutes')).html).toContain('You mute nobody.');

    await visitor.open('/u/grace/block');
    expect(await visitor.submit('/u/grace/block')).toMatchObject({ status: 303, location: '/u/grace' });
    for (const path of ['/u/grace', '/u/grace/followers', '/u/grace/comments']) {
      const { status, html } = await visitor.open(path);
      expect([path, status]).toEqual([path, 200]);
      expect(html).toContain('You block grace.');
    }
    expect((await as(grace).open('/u/hermit')).status).toBe(404);
    await visitor.open('/settings/blocks');
    await visitor.submit('/u/grace/unblock');
    expect((await visitor.open('/settings/blocks')).html).toContain('You block nobody.');
    expect((await visitor.open('/u/grace')).html).not.toContain('You block');
  });

  // Promise [website]: The header shows the number of notifications.
  it('show notifications with their number in the header, and mark them as read', async () => {
    const star = await stack.createPerson('star');
    expect((await as(grace).open('/notifications')).html).toContain('You have no notifications.');
    await grace.client.users.follow('star');
    await ada.client.users.follow('star');

    const reader = as(star);
    const { html } = await reader.open('/notifications');
    expect(html).toMatch(/class="unread-count">2</);
    expect(html).toMatch(/<a href="\/notifications\/\d+\?to=%2Fu%2Fgrace">grace<\/a> follows you\./);
    const [, id = ''] = /action="(\/notifications\/\d+\/read)"/.exec(html) ?? [];
    expect(await reader.submit(id)).toMatchObject({ status: 303, location: '/notifications' });
    expect((await reader.open('/notifications')).html).toMatch(/class="unread-count">1</);
    await reader.submit('/notifications/read');
    expect((await reader.open('/notifications')).html).not.toContain('unread-count');

    await reader.open('/settings/notifications');
    await reader.submit('/settings/notifications', { kinds: ['comment', 'reply'] });
    expect(await star.client.me.notificationSettings()).toEqual({
      comment: true,
      reply: true,
      mention: false,
      follow: false,
      post: false,
      moderation: false,
      mail: 'never',
    });
  });

  it.each([
    '/u/nobody_at_all',
    '/u/ab',
    '/u/Ada/posts',
    '/u/Ada/settings',
    '/u/Ada/__proto__',
    '/u/Ada/constructor',
    '/u/..%2Fme',
    '/u/Ada%2Fposts',
    '/u/%3Cscript%3E',
    '/u/%00',
  ])('return 404 for %s', async (path) => {
    const { status, html } = await as(ada).open(path);

    expect(status).toBe(404);
    expect(html).toContain('Page not found');
  });

  it.each(['0', '-1', 'x', '1e9', '99999999999', '2&page=3'])(
    'show the first page for page=%s',
    async (page) => {
      const { status, html } = await as(null).open(`/u/Ada?page=${page}`);

      expect(status).toBe(200);
      expect(titles(html)).toEqual(['A public one']);
    },
  );

  it('show a message beyond the end of a list', async () => {
    const { status, html } = await as(null).open('/u/Ada?page=7');

    expect(status).toBe(200);
    expect(html).toContain('There are no more pages.');
  });
});
