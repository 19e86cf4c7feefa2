import { describeWithChromium, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { decided, fillGallery, type Gallery, upload } from './support/gallery';
import { landscape } from './support/samples';
import { PHONE, useBrowser, type Visitor } from './support/visitor';

/** A window of 1280 pixels at a zoom of 400 % (WCAG 2.2, 1.4.10). */
const NARROW = { width: 320, height: 256 };

const PAGES: readonly (readonly [name: string, path: (gallery: Gallery) => string])[] = [
  ['feed', () => '/'],
  ['tag', () => '/t/hills'],
  ['tags', () => '/tags'],
  ['search', () => '/search?q=walk'],
  ['preferences', () => '/preferences'],
  ['post', ({ post }) => `/p/${post.slug}`],
  ['editor', ({ post }) => `/p/${post.slug}/edit`],
  ['media', ({ video }) => `/m/${video.slug}`],
  ['profile', () => '/u/ada'],
  ['upload', () => '/upload'],
  ['settings', () => '/settings'],
  ['tokens', () => '/settings/tokens'],
  ['webhooks', () => '/settings/webhooks'],
  ['webhook', ({ webhook }) => `/settings/webhooks/${webhook.id}`],
  ['developers', () => '/developers'],
  ['developers-posts', () => '/developers/posts'],
];

describeWithChromium('a narrow window', () => {
  let stack: Stack;
  const { start, arrive } = useBrowser({ keepVisits: true });
  let gallery: Gallery;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    stack = await start(borrowStack());
    gallery = await fillGallery(stack);
    visitor = await arrive({ as: gallery.ada });
    page = visitor.page;
    await page.setViewportSize(NARROW);
  });

  const doubleText = (): Promise<void> =>
    page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('html { font-size: 200% }');
      document.adoptedStyleSheets = [sheet];
    });
  const widthNeeded = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

  it.each(PAGES)('has space for %s, also with text of twice the size', async (_, path) => {
    await page.goto(path(gallery));
    expect(await widthNeeded()).toBeLessThanOrEqual(NARROW.width);
    await doubleText();
    expect(await widthNeeded()).toBeLessThanOrEqual(NARROW.width);
    visitor.assertClean();
  });

  it('has space for the widest username, also with text of twice the size', async () => {
    const wide = await stack.createPerson('W'.repeat(15) + 'm'.repeat(15));
    const media = await decided(wide.client, await upload(wide.client, await landscape('wide.jpg', 70)));
    const { slug } = await wide.client.posts.create({ media_ids: [media.id] });
    const { id } = await wide.client.comments.create(slug, { content: 'First.' });
    await gallery.grace.client.comments.create(slug, { content: 'Second.', parent_id: id });
    for (const path of [`/p/${slug}`, `/m/${media.slug}`, `/u/${wide.username}`, '/']) {
      await page.goto(path);
      expect(await widthNeeded()).toBeLessThanOrEqual(NARROW.width);
      await doubleText();
      expect(await widthNeeded()).toBeLessThanOrEqual(NARROW.width);
    }
  });

  it('hides the header while scrolling', async () => {
    await page.goto('/');
    await page.evaluate(() => scrollTo({ top: 500, behavior: 'instant' }));
    await page.waitForFunction(
      () => document.querySelector('.site-header')!.getBoundingClientRect().bottom <= 0,
    );
  });

  it('shows focused elements below a sticky header (WCAG 2.2, 2.4.11)', async () => {
    await page.setViewportSize({ width: PHONE, height: 700 });
    await page.goto('/developers/posts');
    await page.locator('.site-footer a').last().focus();
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press('Shift+Tab');
      const clear = await page.evaluate(
        () =>
          document.activeElement!.getBoundingClientRect().top -
          document.querySelector('.site-header')!.getBoundingClientRect().bottom,
      );
      expect(clear).toBeGreaterThanOrEqual(0);
    }
  });
});
