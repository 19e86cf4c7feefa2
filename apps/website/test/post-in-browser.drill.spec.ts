import type { Media } from '@vitrine/client';
import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import { auditLightAndDark, loadedPictures } from './support/audit';
import { type ForeignSite, startForeignSite } from './support/foreign-site';
import { decided, upload } from './support/gallery';
import { animation, landscape, video, waves } from './support/samples';
import { DESK, PHONE, useBrowser } from './support/visitor';

describeWithChromium('a post in a browser', () => {
  const { start, arrive, visit } = useBrowser();
  let stack: Stack;
  let elsewhere: ForeignSite;
  let ada: Person;
  let grace: Person;
  let media: Media[];
  let moving: Media;

  beforeAll(async () => {
    stack = await start(borrowStack());
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
  afterAll(() => elsewhere?.close());

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

  it('can be voted on, followed, saved and reported without a page load', async () => {
    const path = await make();
    const { page, assertClean } = await visit(path, { as: grace });
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
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    await page.locator('summary', { hasText: 'Report' }).click();
    await page.getByLabel('Details (optional)').fill('It is not a hill.');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByText('A moderator will review it.').waitFor();
    expect(await page.evaluate(() => 'stayed' in window)).toBe(true);
    await page.locator('summary[aria-label="Collections"]').click();
    await page.getByLabel('New collection').fill('Hills');
    await page.keyboard.press('Enter');
    await page.getByText('Your collections are saved.').waitFor();
    expect(page.url()).toBe(stack.siteUrl + path);
    assertClean();

    expect(await score.textContent()).toBe('1');
    expect(await up.getAttribute('aria-pressed')).toBe('true');
  });

  // Promise [website]: A vote is shown at once, and reverted if it failed.
  it('reverts a vote that failed', async () => {
    const { page, context } = await visit(await make(), { as: grace });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Downvote this post' }).click();
    await page.getByText('There is no connection.').waitFor();
    expect(await page.locator('.post-vote-score').textContent()).toBe('0');
    expect(await page.locator('[value="down"]').first().getAttribute('aria-pressed')).toBe('false');
  });

  // Promise [website]: Pictures can be enlarged.
  it('shows its pictures enlarged, with the keyboard only', async () => {
    const { page, assertClean } = await visit(await make());
    const link = page.locator('a[data-zoom]').first();
    await link.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.getAttribute('aria-label')).toBe('Picture 1 of 2: Two hills');
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getAttribute('aria-label')).toBe('Picture 2 of 2: Two hills');
    await page.keyboard.press('ArrowRight');
    expect(await dialog.getAttribute('aria-label')).toBe('Picture 1 of 2: Two hills');
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
    expect(await dialog.getAttribute('aria-label')).toBe('Picture 1 of 2: Two hills');
    const shownWidth = (): Promise<number> =>
      dialog.locator('img').evaluate((image) => image.getBoundingClientRect().width);
    await dialog.locator('img').evaluate((image) => (image as HTMLImageElement).decode());
    expect(await shownWidth()).toBeLessThanOrEqual(DESK);
    await page.keyboard.press('Enter');
    expect(await shownWidth()).toBe(1600);
    await page.keyboard.press('Escape');
    expect(await dialog.count()).toBe(0);
    expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    assertClean();
  });

  it('writes the chosen size into the embed codes, and back, above related posts', async () => {
    const { page } = await visit(await make({ media_ids: [media[0]!.id] }));
    await page.getByText('Share', { exact: true }).click();
    for (const field of await page.locator('[data-embed] input').all()) await field.click({ trial: true });
    const choose = async (url: string): Promise<readonly string[]> => {
      await page.getByLabel('Size').selectOption({ value: url });
      const fields = await page.locator('[data-embed] input').all();
      return Promise.all(fields.map((field) => field.inputValue()));
    };
    const { original, lg } = media[0]!.urls;
    const [first, codes] = [await choose(lg), await choose(original)];
    expect(codes[1]).toContain(`<img src="${original}" width="1600" height="900"`);
    expect(codes.filter((code) => code.includes(original))).toHaveLength(4);
    expect(await choose(lg)).toEqual(first);
  });

  it('keeps each picture within the window, in its aspect ratio', async () => {
    for (const width of [DESK, PHONE] as const) {
      const { page } = await visit(await make(), { width });
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

  // Promise [website]: A picture higher than two windows is folded, and shown whole on demand, also without scripts.
  it('folds a long picture', async () => {
    const strip = await upload(ada.client, await landscape('strip.jpg', 60, 500, 5000));
    await decided(ada.client, strip);
    const { page } = await visit(`/m/${strip.slug}`, { width: PHONE, javaScript: false });
    const height = async (): Promise<number> => (await page.locator('.stage').boundingBox())!.height;
    expect(await height()).toBe(2 * 844);
    await page.getByLabel('Show all').press('Space');
    expect(await height()).toBeGreaterThan(3600);
    await page.getByLabel('Show less').press('Space');
    expect(await height()).toBe(2 * 844);
    const scripted = await visit(`/m/${strip.slug}`, { width: PHONE });
    await auditLightAndDark(scripted.page, 'media-long');
  });

  it('can be read, voted on and viewed enlarged without scripts', async () => {
    const path = await make({ is_nsfw: true });
    const { page } = await visit(path, { as: grace, javaScript: false });
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
    const { page } = visitor;
    await page.reload({ waitUntil: 'networkidle' });
    expect(await loadedPictures(page)).toEqual([]);
    await auditLightAndDark(page, 'post-veiled');
    await page.locator('summary', { hasText: 'Adult content' }).first().focus();
    await page.keyboard.press('Enter');
    for (const picture of await page.locator('.post-pictures .picture-image').all()) {
      await picture.scrollIntoViewIfNeeded();
      expect(await picture.isVisible()).toBe(true);
    }
    visitor.assertClean();
  });

  it('does not reveal the key of a private post', async () => {
    const path = await make({ visibility: 'private' });
    const key = new URL(path, stack.siteUrl).searchParams.get('key') ?? '?';
    const { page, context, assertClean } = await visit(path, { as: grace });
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
    assertClean();
  });

  it('can stop an animation, and shows none with reduced motion', async () => {
    const path = await make({ media_ids: [moving.id], title: 'It moves' });
    const { page, assertClean } = await visit(path, { width: PHONE });
    await auditLightAndDark(page, 'post-animation');
    expect(
      await page
        .locator('.post-pictures .picture-image')
        .evaluate((image) => (image as HTMLImageElement).currentSrc),
    ).toMatch(/\.webp$/);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await page.locator('canvas').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Play' }).click();
    expect(await page.locator('canvas').count()).toBe(0);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.reload();
    const shown = (): Promise<string> =>
      page
        .locator('.post-pictures .picture-image')
        .evaluate((image) => (image as HTMLImageElement).currentSrc);
    expect(await shown()).toMatch(/_still\.jpg$/);
    await page.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('.picture-image')?.currentSrc.endsWith('.webp') === true,
    );
    assertClean();
  });

  // Promise [website]: A post’s page plays the loop of an animation.
  it('plays an animation as its loop, and shows its still with reduced motion', async () => {
    const { id, slug } = await decided(ada.client, await upload(ada.client, await waves('waves.gif')));
    const path = await make({ media_ids: [id], title: 'Waves' });
    const { page, assertClean } = await visit(path, { width: DESK });
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
    const others = (): string[] =>
      requested.filter((name) => name.includes(slug) && /_(xs|sm|md|lg|xl)\.|\.gif$/.test(name));
    expect(others()).toEqual([]);
    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await isPaused()).toBe(true);
    await page.getByRole('button', { name: 'Play' }).click();
    expect(await isPaused()).toBe(false);
    // As an update of the page does it.
    await loop.evaluate((video) => {
      const fresh = video.cloneNode() as HTMLElement;
      delete fresh.dataset['watched'];
      fresh.append(...video.children);
      video.replaceWith(fresh);
      document.dispatchEvent(new Event('vitrine:replaced'));
    });
    await hasPlayed();
    assertClean();

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
    expect(await page.locator('.post-pictures img.picture-image').getAttribute('src')).toMatch(/\.webp$/);
  });

  it('shows media and their status as soon as they are processed and checked', async () => {
    const path = await make({ media_ids: [moving.id] });
    const { slug } = await ada.client.posts.get(path.slice(3));
    await stack.sql("update posts set moderation_status = 'pending' where slug = $1", [slug]);
    const reset = 'update media set processed = $1, kind = $2, mime = $3 where slug = $4';
    await stack.sql(reset, [false, 'video', 'video/mp4', moving.slug]);
    const { page, assertClean } = await arrive({ as: ada });
    await page.clock.install();
    await page.goto(path);
    const views = await page.locator('.post-facts').textContent();
    await page.locator('.stage[data-due]').waitFor();
    await page.getByText('Being checked.').waitFor();
    await page.getByText('1 file is still being processed.').waitFor();
    await page.clock.runFor(3_000);
    expect(await page.locator('.stage[data-due]').count()).toBe(1);
    await stack.sql(reset, [true, 'image', 'image/gif', moving.slug]);
    await stack.sql("update posts set moderation_status = 'approved' where slug = $1", [slug]);
    const looked = page.waitForResponse(`**${path}`);
    await page.clock.runFor(10_000);
    await looked;
    await page.locator('.stage:not([data-due])').waitFor();
    await page.locator('.post-status').waitFor({ state: 'detached' });
    await page.reload();
    // The owner's two visits, and none of the script.
    expect(await page.locator('.post-facts').textContent()).toBe(views);
    assertClean();
  });

  // Promise [website]: A video plays at once if the browser can play the original, and shows how much is processed.
  it('plays the original of a video that is being processed, and remembers choices', async () => {
    const { id, slug } = await decided(ada.client, await upload(ada.client, video('early.mp4')));
    const path = await make({ media_ids: [id] });
    const set = 'update media set processed = $2, processing_progress = $3 where slug = $1';
    await stack.sql(set, [slug, false, 57]);
    const { page, assertClean } = await arrive({ width: PHONE });
    await page.clock.install();
    await page.goto(path);
    const shown = page.locator('.stage video');
    await page.getByText('This video is being processed: 57 %.').waitFor();
    await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0);
    expect(await shown.getAttribute('src')).toContain(`/f/${slug}.mp4`);
    const box = await shown.boundingBox();
    expect(box!.width / box!.height).toBeCloseTo(640 / 360, 1);

    await page.locator('[data-player] > summary').press('Enter');
    await auditLightAndDark(page, 'post-video');
    await page.getByLabel('Repeat').check();
    await page.getByLabel('Speed').selectOption('1.5');
    expect(await shown.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(1.5);
    await stack.sql(set, [slug, false, 80]);
    await page.clock.runFor(3_000);
    await page.getByText('This video is being processed: 80 %.').waitFor();
    await stack.sql(set, [slug, true, 80]);
    await page.clock.runFor(10_000);
    await page.locator('.stage:not([data-due]) video').waitFor();
    expect(await shown.evaluate((element: HTMLVideoElement) => element.playbackRate)).toBe(1.5);
    expect(await shown.evaluate((element: HTMLVideoElement) => element.loop)).toBe(true);
    await page.getByLabel('Quality').selectOption('xs');
    expect(await shown.getAttribute('src')).toContain(`/f/${slug}_xs.mp4`);
    await page.reload();
    await page.waitForFunction(() => document.querySelector('video')?.playbackRate === 1.5);
    expect(await shown.getAttribute('src')).toContain(`/f/${slug}_xs.mp4`);
    assertClean();
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
    const { page } = await visit('/', { as: grace });
    await page.goto(`${elsewhere.url}/blog`);
    const [embedded, refused, sandboxed] = page.frames().slice(1);
    const picture = embedded!.locator('img');
    expect(await picture.evaluate((image) => (image as HTMLImageElement).decode())).toBe(undefined);
    expect(await refused?.locator('.post').count()).toBe(0);
    const colourOf = (body: Element): string => getComputedStyle(body).backgroundColor;
    const background = await embedded!.locator('body').evaluate(colourOf);
    expect(await sandboxed!.locator('body').evaluate(colourOf)).toBe(background);
    expect(background).not.toBe('rgba(0, 0, 0, 0)');
  });
});
