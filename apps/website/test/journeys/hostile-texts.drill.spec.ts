import type { CreatedPost, Media } from '@vitrine/client';
import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import { upload } from '../support/gallery';
import { escaped, HOSTILE_TEXTS, hostileTexts } from '../support/hostile-texts';
import { landscape } from '../support/samples';
import { useBrowser, type Visitor } from '../support/visitor';

const ALL = HOSTILE_TEXTS.join(' \n');

describeWithChromium('texts with markup', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let mallory: Person;
  let moderator: Person;
  let media: Media;
  let posts: CreatedPost[];

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    [mallory, moderator] = await Promise.all([
      stack.createPerson('mallory'),
      stack.createPerson('judge', { role: 'moderator' }),
    ]);
    const { client } = mallory;
    const file = await landscape('"><xss-mark>.jpg', 10);
    media = await upload(client, file);
    const waiting = await upload(client, await landscape("'><img src=x xss-mark>.jpg", 50));
    await moderator.client.moderation.ruleOnMedia(media.slug, {
      status: 'approved',
      reason: ALL.slice(0, 200),
    });
    const titles = hostileTexts(255);
    await Promise.all([
      client.media.update(media.slug, { title: titles[0], description: ALL, alt_text: titles.at(-1) }),
      client.me.update({ bio: ALL.slice(0, 500) }),
    ]);
    // One after the other, because simultaneous password attempts are slowed down.
    for (const text of hostileTexts(60)) {
      await client.tokens.create({ name: text.slice(0, 60), current_password: mallory.password });
    }
    posts = [];
    for (const title of titles) {
      posts.push(
        await client.posts.create({ media_ids: [media.id], title, description: ALL, visibility: 'public' }),
      );
    }
    await client.posts.create({ media_ids: [waiting.id], title: titles[0], description: ALL });
    for (const content of hostileTexts(500)) await client.comments.create(posts[0]!.slug, { content });
    await client.reports.create({ type: 'post', target: posts[0]!.slug, reason: 'other', details: ALL });
    await moderator.client.moderation.hashes.ban({ hash: 'ab'.repeat(32), reason: ALL.slice(0, 200) });
  });

  /** Opens each path as this person and checks the texts. */
  const look = async (
    person: Person | undefined,
    paths: readonly string[],
    isGood: (status: number) => boolean = (status) => status === 200,
  ): Promise<void> => {
    const visitor: Visitor = await arrive();
    const alerts: string[] = [];
    visitor.page.on('dialog', (dialog) => {
      alerts.push(visitor.page.url());
      void dialog.dismiss();
    });
    try {
      if (person) await visitor.logIn(person);
      for (const path of paths) {
        const answer = await visitor.page.goto(path);
        const status = answer?.status() ?? 0;
        expect({ path, status, isGood: isGood(status) }).toEqual({ path, status, isGood: true });
        expect({ path, escaped: await escaped(visitor.page) }).toEqual({ path, escaped: [] });
        // Missing pictures and unreachable addresses cause errors in the console.
        visitor.assertClean([/status of (?:4\d\d|503)/]);
      }
      expect(alerts).toEqual([]);
    } finally {
      await visitor.close();
    }
  };
  const pages = (): string[] => [
    ...['/', '/?sort=random', '/search?q=script', '/tags'],
    ...posts.map(({ slug }) => `/p/${slug}`),
    ...[`/m/${media.slug}`, `/e/${media.slug}`],
    ...['/u/mallory', '/u/mallory/media', '/u/mallory/comments'],
  ];

  // Promise [website]: Texts of users are always shown as text.
  it('stay text for all visitors', () => look(undefined, pages()));

  it('stay text for their author, also in the editor', () =>
    look(mallory, [...pages(), `/p/${posts[0]!.slug}/edit`, '/settings', '/settings/tokens', '/upload']));

  it('stay text for moderators', () =>
    look(moderator, [
      ...['/moderation', '/moderation/hashes', '/moderation/decisions'],
      `/p/${posts[0]!.slug}`,
    ]));

  it('are shown as they were typed', async () => {
    const visitor = await arrive();
    await visitor.page.goto(`/p/${posts[0]!.slug}`);
    expect(await visitor.page.title()).toBe(`${hostileTexts(255)[0]} - Vitrine`);
    const text = await visitor.page.getByRole('main').innerText();
    for (const hostile of HOSTILE_TEXTS) expect(text).toContain(hostile);
  });

  it('stay text in addresses', () =>
    look(
      undefined,
      HOSTILE_TEXTS.map(encodeURIComponent).flatMap((text, i) => [
        `/search?q=${text}`,
        [`/t/${text}`, `/u/${text}`, `/p/${text}`, `/m/${text}`, `/g/${text}`][i % 5]!,
        [`/tags?q=${text}`, `/login?next=/${text}`, `/?sort=${text}`, `/oembed?url=${text}`][i % 4]!,
      ]),
      (status) => status < 500,
    ));
});
