import type { CreatedPost, Media } from '@vitrine/client';
import { type Person, type Stack, borrowStack } from '@vitrine/testing';
import scrapeOpenGraph from 'open-graph-scraper';
import { upload } from './support/gallery';
import { jsonLdOf, metaOf } from './support/page-metadata';
import { landscape } from './support/samples';

describe('the data for link previews', () => {
  let stack: Stack;
  let ada: Person;
  let moderator: Person;
  let media: Media[];

  const add = async (hue: number): Promise<Media> => {
    const added = await upload(ada.client, await landscape(`${hue}.jpg`, hue));
    await moderator.client.moderation.ruleOnMedia(added.slug, { status: 'approved', reason: 'test' });
    return added;
  };
  beforeAll(async () => {
    // Without these processes, media are processed and decided by the tests only.
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
    [ada, moderator] = await Promise.all([
      stack.createPerson('ada'),
      stack.createPerson('mo_derator', { role: 'moderator' }),
    ]);
    media = [await add(60), await add(120)];
  });
  afterAll(() => stack?.close());

  type NewPost = Parameters<Person['client']['posts']['create']>[0];
  const make = (post: Partial<NewPost> = {}): Promise<CreatedPost> =>
    ada.client.posts.create({ media_ids: [media[0]!.id], visibility: 'public', ...post });
  const open = async (path: string) => ({ html: await (await fetch(stack.siteUrl + path)).text() });

  // Promise [website]: Pages have the metadata for link previews.
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
    expect(jsonLdOf(html)[0]).toMatchObject({
      '@type': 'DiscussionForumPosting',
      url,
      headline: 'Three hills',
      text: 'One\n\ntwo',
      keywords: ['hills'],
      author: { name: 'ada', url: `${stack.siteUrl}/u/ada` },
      image: [{ '@type': 'ImageObject', contentUrl: media[0]!.urls.original }],
    });
  });

  // Promise [website]: Videos have the browser’s player.
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
      expect(jsonLdOf(html)[1]).toMatchObject({
        '@context': 'https://schema.org',
        '@type': 'VideoObject',
        name: 'A film',
        author: { name: 'ada' },
        duration: 'PT63S',
        contentUrl: `${stack.cdnUrl}/f/${film!.slug}_lg.mp4`,
      });
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

  it.each([
    ['jpeg', 'jpg', 'image', true],
    ['heic', 'heic', 'image', false],
    ['mp4', 'mp4', 'video', false],
    ['quicktime', 'mov', 'video', false],
  ])(
    'shares its link previews with the page of its %s file, also before it is processed',
    async (format, ext, kind, processed) => {
      const own = await upload(ada.client, await landscape(`${format}.jpg`, 200 + ext.length, 640, 480));
      await moderator.client.moderation.ruleOnMedia(own.slug, { status: 'approved', reason: 'test' });
      const post = await make({ title: 'A view', media_ids: [own.id] });
      await stack.sql(
        `update media set title = $2, kind = $3, format = $4, mime = $5, ext = $6, duration = $7, processed = $8
         where slug = $1`,
        [own.slug, 'A view', kind, format, `${kind}/${format}`, ext, kind === 'video' ? 63 : null, processed],
      );
      const file = (name: string): string => `${stack.cdnUrl}/f/${own.slug}${name}`;

      for (const path of [`/p/${post.slug}`, `/m/${own.slug}`]) {
        const { html } = await open(path);
        expect(metaOf(html, 'og:url')).toEqual([stack.siteUrl + path]);
        expect(metaOf(html, 'og:title')).toEqual(['A view']);
        expect(metaOf(html, 'og:image')).toEqual([file(kind === 'video' ? '_thumb.jpg' : '_lg.jpg')]);
        expect(metaOf(html, 'twitter:card')).toEqual([kind === 'video' ? 'player' : 'summary_large_image']);
        expect(metaOf(html, 'og:video')).toEqual(ext === 'mp4' ? [file('_lg.mp4')] : []);
        expect(html).toContain(encodeURIComponent(stack.siteUrl + path));
        const { result } = await scrapeOpenGraph({ html });
        expect(result).toMatchObject({
          success: true,
          ogTitle: 'A view',
          ogUrl: stack.siteUrl + path,
          ogImage: [{ url: file(kind === 'video' ? '_thumb.jpg' : '_lg.jpg') }],
        });
        const schema = jsonLdOf(html).find(
          (data) => (data as { '@type'?: string })['@type'] === 'VideoObject',
        );
        const picture = { '@type': 'ImageObject', contentUrl: file(`.${ext}`) };
        if (kind === 'video') {
          expect(schema).toMatchObject({
            duration: 'PT63S',
            author: { name: 'ada' },
            thumbnailUrl: file('_thumb.jpg'),
          });
        } else {
          expect(jsonLdOf(html)).toMatchObject([path.startsWith('/m/') ? picture : { image: [picture] }]);
        }
      }
    },
  );
});
