import type { Media } from '@vitrine/client';
import { describeWithChromium, launchChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Browser } from 'playwright-core';
import { auditLightAndDark } from './support/audit';
import { type ForeignSite, startForeignSite } from './support/foreign-site';
import { decided, upload } from './support/gallery';
import { animation, landscape, waves } from './support/samples';
import { DESK, newVisitor, PHONE, type Visitor, type VisitorOptions } from './support/visitor';

describeWithChromium('a post in a browser', () => {
  let stack: Stack;
  let browser: Browser;
  let elsewhere: ForeignSite;
  let ada: Person;
  let grace: Person;
  let media: Media[];
  let moving: Media;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    // One after the other, so that started resources can be closed if a later step fails.
    stack = await borrowStack();
    browser = await launchChromium();
    elsewhere = await startForeignSite();
    [ada, grace] = await Promise.all([stack.createPerson('ada'), stack.createPerson('grace')]);
    const files = [await landscape('wide.jpg', 200, 1600, 900), await landscape('high.jpg', 40, 600, 1100)];
    const uploads = await Promise.all(
      [...files, await animation('a.gif')].map((file) => upload(ada.client, file)),
    );
    const all = await Promise.all(uploads.map((one) => decided(ada.client, one)));
    media = all.slice(0, 2);
    moving = all[2]!;
  });
  afterEach(() => Promise.all(visitors.splice(0).map((visitor) => visitor.close())));
  afterAll(async () => {
    await browser?.close();
    await elsewhere?.close();
    await stack?.close();
  });

  type NewPost = Parameters<Person['client']['posts']['create']>[0];
  const make = async (post: Partial<NewPost> = {}): Promise<string> => {
    const { slug, access_key: key } = await ada.client.posts.create({
      media_ids: media.map(({ id }) => id),
      title: 'Two hills',
      description: 'More at https://hills.example/',
      tags: ['hills'],
      visibility: 'public',
      ...post,
    });
    return `/p/${slug}${key === undefined ? '' : `?key=${key}`}`;
  };
  const visit = async (path: string, who?: Person, options?: VisitorOptions): Promise<Visitor> => {
    const visitor = await newVisitor(browser, stack, options);
    visitors.push(visitor);
    if (who) {
      await visitor.context.addCookies([{ name: 'vitrine_session', value: who.session, url: stack.siteUrl }]);
    }
    await visitor.page.goto(path);
    return visitor;
  };

  it('can be voted on, followed and reported without a page load', async () => {
    const visitor = await visit(await make(), grace);
    const { page } = visitor;
    await page.evaluate(() => Object.assign(window, { stayed: true }));
    const up = page.getByRole('button', { name: 'Upvote this post' });
    const score = page.locator('.post-vote-score');
    const voted = page.waitForResponse(/\/vote$/);
    await up.click();
    await voted;
    expect(await score.textContent()).toBe('1');
    expect(await up.getAttribute('aria-pressed')).toBe('true');

    await page.getByRole('button', { name: 'Follow ada' }).click();
    await page.getByRole('button', { name: 'Following ada (unfollow)' }).waitFor();
    await page.locator('summary', { hasText: 'Report' }).click();
    await page.getByLabel('Details (optional)').fill('It is not a hill.');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('A moderator will review it.').waitFor();
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
    visitor.assertClean();

    await page.reload();
    expect(await score.textContent()).toBe('1');
    expect(await up.getAttribute('aria-pressed')).toBe('true');
  });

  // Promise [website]: A vote is shown at once, and reverted if it failed.
  it('reverts a vote that failed', async () => {
    const { page, context } = await visit(await make(), grace);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Downvote this post' }).click();
    await page.getByText('There is no connection.').waitFor();
    expect(await page.locator('.post-vote-score').textContent()).toBe('0');
    expect(await page.locator('[value="down"]').first().getAttribute('aria-pressed')).toBe('false');
  });

  // Promise [website]: Pictures can be enlarged.
  it('shows its pictures enlarged, with the keyboard only', async () => {
    const visitor = await visit(await make());
    const { page } = visitor;
    const link = page.locator('a[data-zoom]').first();
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.getAttribute('aria-label')).toBe('Two hills, 1 of 2');
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getAttribute('aria-label')).toBe('Two hills, 2 of 2');
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getAttribute('aria-label')).toBe('Two hills, 1 of 2');
    const isBrowsers = (key: string, held: { ctrlKey?: boolean; altKey?: boolean }): Promise<boolean> =>
      dialog.evaluate(
        (element, [name, keys]) =>
          element.dispatchEvent(
            new KeyboardEvent('keydown', { key: name, cancelable: true, bubbles: true, ...keys }),
          ),
        [key, held] as const,
      );
    expect(await isBrowsers('+', { ctrlKey: true })).toBe(true);
    expect(await isBrowsers('ArrowLeft', { altKey: true })).toBe(true);
    expect(await dialog.getAttribute('aria-label')).toBe('Two hills, 1 of 2');
    const shownWidth = (): Promise<number> =>
      dialog.locator('img').evaluate((image) => image.getBoundingClientRect().width);
    await dialog.locator('img').evaluate((image) => (image as HTMLImageElement).decode());
    expect(await shownWidth()).toBeLessThanOrEqual(DESK);
    await page.keyboard.press('Enter');
    expect(await shownWidth()).toBe(1600);
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    visitor.assertClean();
  });

  it('keeps each picture within the window, in its aspect ratio', async () => {
    for (const width of [DESK, PHONE] as const) {
      const { page } = await visit(await make(), undefined, { width });
      const boxes = await page.locator('.frame').evaluateAll((frames) =>
        frames.map((frame) => {
          const { width: w, height: h } = frame.getBoundingClientRect();
          return { ratio: w / h, h };
        }),
      );
      const { height } = page.viewportSize()!;
      boxes.forEach(({ ratio, h }, index) => {
        const { width: w, height: whole } = media[index]!;
        expect(ratio).toBeCloseTo(w / whole, 2);
        expect(h).toBeLessThan(height);
      });
    }
  });

  it('can be read, voted on and viewed enlarged without scripts', async () => {
    const path = await make({ is_nsfw: true });
    const { page } = await visit(path, grace, { javaScript: false });
    await page.locator('summary', { hasText: 'Adult content' }).first().click();
    await page.locator('a[data-zoom]').first().click();
    await page.waitForURL(media[0]!.urls.original);
    await page.goBack();
    await page.getByRole('button', { name: 'Upvote this post' }).click();
    await page.waitForURL((url) => url.pathname === path);
    expect(await page.locator('.post-vote-score').textContent()).toBe('1');
  });

  it('loads no adult content before the visitor opens it', async () => {
    const visitor = await visit(await make({ is_nsfw: true }));
    const { page, context } = visitor;
    const asked: string[] = [];
    context.on('request', (request) => asked.push(request.url()));
    await page.reload({ waitUntil: 'networkidle' });
    expect(asked.filter((url) => url.startsWith(stack.cdnUrl))).toEqual([]);
    await auditLightAndDark(page, 'post-veiled');
    await page.locator('summary', { hasText: 'Adult content' }).first().focus();
    await page.keyboard.press('Enter');
    for (const picture of await page.locator('.picture-image').all()) {
      await picture.scrollIntoViewIfNeeded();
      expect(await picture.isVisible()).toBe(true);
    }
    visitor.assertClean();
  });

  it('does not reveal the key of a private post', async () => {
    const path = await make({ visibility: 'private' });
    const key = new URL(path, stack.siteUrl).searchParams.get('key') ?? '?';
    const visitor = await visit(path, grace);
    const { page, context } = visitor;
    const referers: string[] = [];
    context.on('request', (request) => referers.push(request.headers()['referer'] ?? ''));
    await page.reload();
    const voted = page.waitForResponse(/\/vote$/);
    await page.getByRole('button', { name: 'Upvote this post' }).click();
    await voted;
    for (const leave of ['a.brand', 'a.byline-author', '.facts']) {
      await page.goto(path);
      await page.locator(leave).first().click();
      await page.waitForURL((url) => !url.pathname.startsWith('/p/'));
    }
    expect(referers.length).toBeGreaterThan(10);
    expect(referers.filter((referer) => referer.includes(key))).toEqual([]);
    visitor.assertClean();
  });

  it('can stop an animation, and shows none with reduced motion', async () => {
    const path = await make({ media_ids: [moving.id], title: 'It moves' });
    const visitor = await visit(path, undefined, { width: PHONE });
    const { page } = visitor;
    await auditLightAndDark(page, 'post-animation');
    expect(
      await page.locator('.picture-image').evaluate((image) => (image as HTMLImageElement).currentSrc),
    ).toMatch(/\.webp$/);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await page.locator('canvas').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Play' }).click();
    expect(await page.locator('canvas').count()).toBe(0);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    const shown = (): Promise<string> =>
      page.locator('.picture-image').evaluate((image) => (image as HTMLImageElement).currentSrc);
    expect(await shown()).toMatch(/_still\.jpg$/);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.picture-image')?.currentSrc.endsWith('.webp') === true,
    );
    visitor.assertClean();
  });

  // Promise [website]: A post’s page plays the loop of an animation.
  it('plays an animation as its loop, and shows its still with reduced motion', async () => {
    const { id, slug } = await decided(ada.client, await upload(ada.client, await waves('waves.gif')));
    const path = await make({ media_ids: [id], title: 'Waves' });
    const visitor = await visit(path, undefined, { width: DESK });
    const { page } = visitor;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const loop = page.locator('video[data-loop]');
    const isPaused = (): Promise<boolean> => loop.evaluate((video) => (video as HTMLVideoElement).paused);
    const hasPlayed = (): Promise<unknown> =>
      page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
    await hasPlayed();
    expect(await loop.evaluate((video) => (video as HTMLVideoElement).currentSrc)).toContain(
      `${slug}_loop.mp4`,
    );
    expect(await page.locator('.frame').getAttribute('href')).toMatch(/\.gif$/);
    await auditLightAndDark(page, 'post-loop');
    await page.reload();
    await hasPlayed();
    const others = (): string[] => requested.filter((name) => /_(xs|sm|md|lg|xl)\.|\.gif$/.test(name));
    expect(others()).toEqual([]);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await isPaused()).toBe(true);
    await page.getByRole('button', { name: 'Play' }).click();
    expect(await isPaused()).toBe(false);
    visitor.assertClean();

    await page.emulateMedia({ reducedMotion: 'reduce' });
    requested.splice(0);
    const still = page.waitForRequest(`**/f/${slug}_still.jpg`);
    await page.reload();
    const button = page.getByRole('button', { name: 'Play' });
    await button.waitFor();
    await still;
    expect(await isPaused()).toBe(true);
    expect([...others(), ...requested.filter((name) => name.includes('_loop'))]).toEqual([]);
    await button.click();
    await hasPlayed();

    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.route('**/*_loop.mp4', (route) => route.fulfill({ status: 404, body: '' }));
    await page.reload();
    await page.waitForFunction(() => document.querySelector('img.picture-image')?.closest('video') === null);
    expect(await page.locator('img.picture-image').getAttribute('src')).toMatch(/\.webp$/);
  });

  it('shows media as soon as they are processed', async () => {
    const path = await make({ media_ids: [moving.id] });
    const reset = 'update media set processed = $1, kind = $2, mime = $3 where slug = $4';
    await stack.sql(reset, [false, 'video', 'video/mp4', moving.slug]);
    const visitor = await newVisitor(browser, stack);
    visitors.push(visitor);
    const { page } = visitor;
    await page.clock.install();
    await page.goto(path);
    await page.locator('[data-waiting]').waitFor();
    await page.clock.runFor(3_000);
    expect(await page.locator('[data-waiting]').count()).toBe(1);
    await stack.sql(reset, [true, 'image', 'image/gif', moving.slug]);
    const looked = page.waitForResponse(`**/m/${moving.slug}`);
    await page.clock.runFor(10_000);
    await looked;
    await page.locator('.stage:not([data-waiting])').waitFor();
    visitor.assertClean();
  });

  it('can be embedded by other sites as a media item only', async () => {
    const [first] = media;
    const post = await make();
    elsewhere.show(
      '/blog',
      `<!doctype html><title>Blog</title><iframe src="${stack.siteUrl}/e/${first!.slug}" width="640" height="360"></iframe>
      <iframe src="${stack.siteUrl}${post}" width="640" height="360"></iframe>
      <iframe src="${stack.siteUrl}/e/${first!.slug}" width="640" height="360" sandbox></iframe>`,
    );
    const { page } = await visit('/', grace);
    await page.goto(`${elsewhere.url}/blog`);
    const [embedded, refused, sandboxed] = page.frames().slice(1);
    expect(
      await embedded
        ?.locator('img')
        .evaluate((image) => (image as HTMLImageElement).decode().then(() => true)),
    ).toBe(true);
    expect(await refused?.locator('.post').count()).toBe(0);
    const background = await embedded
      ?.locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor);
    expect(await sandboxed?.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
      background,
    );
    expect(background).not.toBe('rgba(0, 0, 0, 0)');
  });
});
