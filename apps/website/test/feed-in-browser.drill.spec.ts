import type { Media } from '@vitrine/client';
import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Page, Request } from 'playwright-core';
import { auditLightAndDark } from './support/audit';
import { decided, upload } from './support/gallery';
import { animation, landscape, video } from './support/samples';
import { DESK, PHONE, useBrowser } from './support/visitor';

/** Three pages of a feed. */
const POSTS = 64;

const isForPageTwo = (request: Request): boolean => request.url().endsWith('?page=2');

describeWithChromium('feeds in a browser', () => {
  const { start, visit } = useBrowser();
  let stack: Stack;
  let ada: Person;
  let gif: Media;

  beforeAll(async () => {
    stack = await start(borrowStack());
    ada = await stack.createPerson('ada');
    const files = await Promise.all([
      landscape('wide.jpg', 200, 1600, 900),
      landscape('high.jpg', 40, 600, 1100),
      animation('blinking.gif'),
      video('card.mp4'),
      landscape('square.jpg', 300, 700, 700),
    ]);
    const uploads = await Promise.all(files.map((file) => upload(ada.client, file)));
    const media: Media[] = await Promise.all(uploads.map((one) => decided(ada.client, one)));
    gif = media[2]!;
    await ada.client.media.update(media[0]!.slug, { title: 'A hill' });
    for (let i = POSTS; i > 0; i--) {
      await ada.client.posts.create({
        media_ids: i % 6 === 0 ? media.map(({ id }) => id) : [media[i % media.length]!.id],
        title: i % 9 === 0 ? null : `Walk number ${i}`,
        tags: ['walks', `walk ${i}`],
        visibility: 'public',
      });
    }
  });

  const tiles = (page: Page) => page.locator('[data-tile]');
  /** Slug and place on the page of every tile. */
  const places = (page: Page): Promise<string[]> =>
    tiles(page).evaluateAll((links) =>
      links.map((link) => {
        const { left, top, width, height } = link.closest('li')!.getBoundingClientRect();
        return [link.getAttribute('data-tile'), left, Math.round(top + scrollY), width, height].join(' ');
      }),
    );
  const toTheEnd = (page: Page): Promise<void> =>
    page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  const inFocus = (page: Page): Promise<number> =>
    tiles(page).evaluateAll((links) => links.indexOf(document.activeElement as HTMLElement));

  // Promise [website]: The grid doesn’t move while pictures load.
  it.each([
    [PHONE, '/'],
    [DESK, '/'],
    [PHONE, '/search?q=hill&type=media'],
  ] as const)('pass the audit without layout shifts at %d px: %s', async (width, path) => {
    const { page, assertClean } = await visit(path, { width });
    expect(await tiles(page).count()).toBeGreaterThan(0);
    await auditLightAndDark(page, path === '/' ? 'feed' : 'search-media');
    assertClean();
  });

  // Promise [website]: The feed loads further pages while the visitor scrolls.
  it('load further pages, each post once, without moving tiles', async () => {
    const { page, assertClean } = await visit('/');
    const before = await places(page);
    expect(before).toHaveLength(30);
    for (const count of [60, POSTS]) {
      await toTheEnd(page);
      await tiles(page)
        .nth(count - 1)
        .waitFor();
    }
    const after = await places(page);

    expect(after.slice(0, 30)).toEqual(before);
    expect(new Set(after.map((place) => place.split(' ')[0])).size).toBe(POSTS);
    expect(await page.locator('.pager a').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');
    assertClean();
  });

  it('restore the scroll position after going back and after a reload', async () => {
    const { page, assertClean } = await visit('/?sort=random');
    await toTheEnd(page);
    const tile = tiles(page).nth(45);
    await tile.scrollIntoViewIfNeeded();
    const [slug, top] = [await tile.getAttribute('data-tile'), await tile.boundingBox()];
    const back = async (): Promise<void> => {
      const again = page.locator(`[data-tile="${slug}"]`);
      await again.waitFor();
      await page.waitForFunction(
        ([name, y]) =>
          Math.abs(document.querySelector(`[data-tile="${name}"]`)!.getBoundingClientRect().top - Number(y)) <
          2,
        [slug, top!.y],
      );
    };
    await tile.click();
    await page.waitForURL('**/p/*');
    await page.goBack();
    await back();
    await page.reload();
    await back();
    assertClean();
  });

  it('keep a link to the next page if loading it fails', async () => {
    const { page } = await visit('/');
    await page.route('**/?page=2', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', isForPageTwo);
    await toTheEnd(page);
    await failed;
    await page.unroute('**/?page=2');
    expect(await tiles(page).count()).toBe(30);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/?page=2');
    expect(await tiles(page).count()).toBe(30);
  });

  it('continue to load pages when the connection is back', async () => {
    const { page, context } = await visit('/');
    await page.route('**/?page=2', (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', isForPageTwo);
    await toTheEnd(page);
    await failed;
    await page.unroute('**/?page=2');
    await context.setOffline(true);
    await context.setOffline(false);
    await tiles(page).nth(59).waitFor();
  });

  it('load further pages without browser storage and over plain HTTP', async () => {
    const { page, context, assertClean } = await visit('/tags');
    await context.addInitScript(() => {
      for (const memory of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(window, memory, {
          get: () => {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
      }
      // Both are missing on a page that isn't a secure context.
      Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined });
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined });
    });
    await page.goto('/');
    await toTheEnd(page);
    await tiles(page).nth(59).waitFor();
    await page.getByRole('main').focus();
    await page.keyboard.press('j');
    expect(await inFocus(page)).not.toBe(-1);
    await page.goto('/developers');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('The text is selected: copy it from there.').waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).not.toBe('');
    assertClean();
  });

  it('are pages with links without scripts', async () => {
    const { page, assertClean } = await visit('/', { javaScript: false });
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/?page=2');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/?page=3');
    expect(await tiles(page).count()).toBe(POSTS - 60);
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.waitForURL('**/?page=2');
    assertClean();
  });

  // Promise [website]: The feed can be used with keys.
  it('can be navigated by keys, opened by Enter, and list their shortcuts', async () => {
    const { page, assertClean } = await visit('/');
    await page.keyboard.press('j');
    expect(await inFocus(page)).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await inFocus(page)).toBe(1);
    await page.keyboard.press('ArrowRight');
    expect(await inFocus(page)).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowLeft');
    expect(await inFocus(page)).toBe(1);

    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await dialog.getByLabel('Use single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    expect(await inFocus(page)).toBe(1);
    await page.reload();
    await page.keyboard.press('j');
    expect(await inFocus(page)).toBe(-1);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await dialog.getByLabel('Use single-key shortcuts').check();
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.locator('#site-search').pressSequentially('jk?');
    expect(await page.locator('#site-search').inputValue()).toBe('jk?');
    const slug = await tiles(page).first().getAttribute('data-tile');
    await page.getByRole('main').focus();
    // The button is in the footer.
    await page.evaluate(() => scrollTo(0, 0));
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/p/${slug}`);
    assertClean();
  });

  // Promise [website]: Videos play without sound under the pointer.
  it('play only the tile under the pointer', async () => {
    const { page, assertClean } = await visit('/');
    const film = page.locator('[data-motion="video"]').first();
    await film.hover();
    await film.locator('video.is-shown').waitFor();
    expect(await film.locator('video').evaluate((one) => (one as HTMLVideoElement).muted)).toBe(true);
    const moving = page.locator('[data-motion="image"]').first();
    await moving.hover();
    expect(await page.locator('video').count()).toBe(0);
    await moving.locator('img.picture-moving.is-shown').waitFor();
    await page.mouse.move(0, 0);
    await moving.locator('img.picture-moving').waitFor({ state: 'detached' });
    assertClean();
  });

  // Promise [website]: Grids load only the stills of animations until they play.
  it('load only the stills of animations until they play', async () => {
    const { page, assertClean } = await visit('/', { width: PHONE });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const still = page.waitForRequest(`**/f/${gif.slug}_still.jpg`);
    await page.reload();
    const moving = page.locator('[data-motion="image"]').first();
    await moving.scrollIntoViewIfNeeded();
    const files = (): string[] => requested.filter((path) => path.startsWith(`/f/${gif.slug}`));
    await still;
    expect(new Set(files())).toEqual(new Set([`/f/${gif.slug}_still.jpg`]));
    await page.locator('[data-motion="image"] + .tile-play').first().tap();
    await moving.locator('img.picture-moving.is-shown').waitFor();
    expect(files()).toContain(`/f/${gif.slug}_md.webp`);
    assertClean();
  });

  describe('with animations that have no still', () => {
    let kept: string;
    beforeAll(async () => {
      const [row] = await stack.sql<{ variants: string }>(
        `with before as (select id, variants from media where slug = $1)
         update media set variants = jsonb_path_query_array(media.variants, '$[*] ? (@.name != "still")')
         from before where media.id = before.id returning before.variants::text as variants`,
        [gif.slug],
      );
      kept = row!.variants;
    });
    afterAll(() => stack.sql('update media set variants = $2::jsonb where slug = $1', [gif.slug, kept]));

    it('cover them with their first frame until they play', async () => {
      const { page, assertClean } = await visit('/');
      const moving = page.locator('[data-motion="image"]').first();
      await moving.scrollIntoViewIfNeeded();
      await moving.locator('canvas').waitFor({ state: 'attached' });
      expect(await moving.locator('.picture-image').isVisible()).toBe(false);
      await moving.hover();
      await moving.locator('.picture-image').waitFor();
      await page.mouse.move(0, 0);
      await moving.locator('canvas').waitFor();
      assertClean();
    });

    // Promise [website]: With reduced motion, animations don’t play by themselves.
    it('show a placeholder for them with reduced motion, also without scripts', async () => {
      const { page, assertClean } = await visit('/', { javaScript: false });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.reload();
      const moving = page.locator('[data-motion="image"] .picture-image').first();
      await moving.scrollIntoViewIfNeeded();
      expect(await moving.evaluate((image) => (image as HTMLImageElement).currentSrc)).toMatch(
        /^data:image\/png/,
      );
      assertClean();
    });
  });

  it('play by a tap on the button of a tile, and open the post by a tap beside it', async () => {
    const { page, assertClean } = await visit('/', { width: PHONE });
    const film = page.locator('[data-motion="video"]').first();
    await page.locator('[data-motion="video"] + .tile-play').first().tap();
    await film.locator('video.is-shown').waitFor();
    expect(await film.locator('video').evaluate((one) => (one as HTMLVideoElement).muted)).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/');
    const slug = await film.getAttribute('data-tile');
    await film.locator('.tile-title').tap();
    await page.waitForURL(`**/p/${slug}`);
    assertClean();
  });

  it('play only by the button with reduced motion', async () => {
    const { page, assertClean } = await visit('/');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    const film = page.locator('[data-motion="video"]').first();
    await film.hover();
    await film.focus();
    const button = page.getByRole('button', { name: /^Play / }).first();
    expect(await page.locator('.is-playing').count()).toBe(0);
    await button.click();
    await page.locator('.is-playing').waitFor();
    await film.hover();
    await page.mouse.move(0, 0);
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await button.click();
    expect(await page.locator('.is-playing').count()).toBe(0);
    assertClean();
  });
});
