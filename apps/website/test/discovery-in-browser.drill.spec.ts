import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { auditLightAndDark } from './support/audit';
import { decided, upload } from './support/gallery';
import { landscape } from './support/samples';
import { PHONE, useBrowser } from './support/visitor';

const POSTS = 9;

describeWithChromium('discovery in a browser', () => {
  const { start, visit } = useBrowser();
  let stack: Stack;
  let ada: Person;
  /** Newest first. */
  const slugs: string[] = [];

  beforeAll(async () => {
    stack = await start(borrowStack());
    ada = await stack.createPerson('ada');
    const images = [];
    for (const hue of [200, 40]) {
      const file = await landscape('wide.jpg', hue, 1600, 900);
      images.push(await decided(ada.client, await upload(ada.client, file)));
    }
    for (let i = 0; i < POSTS; i++) {
      const { slug } = await ada.client.posts.create({
        media_ids: images.map(({ id }) => id),
        title: `Kingfisher ${i}`,
        tags: i % 2 === 0 ? ['kingfishers'] : ['weirs', 'kingfishers'],
        visibility: 'public',
      });
      slugs.unshift(slug);
    }
  });

  const isAt = (page: Page, path: string): Promise<void> => page.waitForURL(stack.siteUrl + path);

  // Promise [website]: The search field suggests people, tags and titles, and can be used by keyboard.
  it('suggests people, tags and titles, chosen with the arrow keys', async () => {
    const { page, assertClean } = await visit('/', { width: PHONE });
    await page.getByRole('link', { name: 'Search' }).click();
    await isAt(page, '/search');
    const field = page.locator('#site-search');
    await field.focus();
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    // At once: suggestions for the first letters could replace a choice when they arrive.
    await field.fill('king');
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    await list.waitFor();
    expect(await list.getByRole('option').allTextContents()).toEqual([
      '#kingfishers',
      ...[0, 1, 2, 3].map((i) => `Kingfisher ${i}`),
    ]);
    expect(await field.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowUp');
    expect(await field.getAttribute('aria-activedescendant')).toBe('site-suggestion-4');
    await auditLightAndDark(page, 'suggestions');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(await field.inputValue()).toBe('king');
    await field.pressSequentially('f');
    await list.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await isAt(page, '/t/kingfishers');
    await page.getByRole('link', { name: 'Search' }).click();
    await page.locator('#site-search').fill('kingfshr');
    await page.keyboard.press('Enter');
    await isAt(page, '/search?q=kingfshr');
    await page.getByRole('heading', { name: 'Similar posts' }).waitFor();
    assertClean();
  });

  // Promise [website]: A post leads to its neighbours in the feed, search or collection from which it was opened.
  it('goes through a feed with links, arrow keys and swipes, but not from a text field', async () => {
    const { page, assertClean } = await visit('/t/weirs', { width: PHONE });
    await page.locator('[data-tile]').first().click();
    await isAt(page, `/p/${slugs[1]}?in=t%3Aweirs`);
    expect(await page.getByRole('link', { name: 'Previous', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    await isAt(page, `/p/${slugs[3]}?in=t%3Aweirs`);
    await page.keyboard.press('ArrowRight');
    await isAt(page, `/p/${slugs[5]}?in=t%3Aweirs`);
    await page.keyboard.press('ArrowLeft');
    await isAt(page, `/p/${slugs[3]}?in=t%3Aweirs`);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.locator('#site-search').fill('ab');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('main').focus();
    expect(page.url()).toContain(slugs[3]);
    await page.setViewportSize({ width: 390, height: 800 });
    const swipe = (from: number, to: number): Promise<void> =>
      page.evaluate(
        ([start, end]) => {
          const target = document.querySelector('.post-head')!;
          const touch = (x: number): Touch => new Touch({ identifier: 1, target, clientX: x, clientY: 200 });
          const init = { bubbles: true };
          target.dispatchEvent(new TouchEvent('touchstart', { ...init, touches: [touch(start!)] }));
          target.dispatchEvent(new TouchEvent('touchend', { ...init, changedTouches: [touch(end!)] }));
        },
        [from, to],
      );
    await swipe(300, 100);
    await isAt(page, `/p/${slugs[5]}?in=t%3Aweirs`);
    await page.goto(`/p/${slugs[4]}`);
    await auditLightAndDark(page, 'post-neighbours');
    const more = page.getByRole('complementary', { name: 'More posts' });
    expect(await more.getByRole('heading').allTextContents()).toEqual([
      'More by ada',
      'More tagged #kingfishers',
    ]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    const [actions, related] = [await page.locator('.post-about').boundingBox(), await more.boundingBox()];
    expect(actions!.y + actions!.height).toBeLessThanOrEqual(related!.y);
    await page.keyboard.press('ArrowRight');
    await isAt(page, `/p/${slugs[5]}`);
    assertClean();
  });

  it('goes through a search and through saved posts', async () => {
    for (const at of [2, 8, 4]) await ada.client.collections.add('saved', slugs[at]!);
    const visitor = await visit('/');
    await visitor.logIn(ada);
    const { page, assertClean } = visitor;
    const walk = async (path: string, mark: string, order: readonly number[]): Promise<void> => {
      await page.goto(path);
      await page.locator('[data-tile]').first().click();
      for (const at of order) {
        await isAt(page, `/p/${slugs[at]}?in=${mark}`);
        await page.keyboard.press('ArrowRight');
      }
    };
    await walk('/search?q=weirs', 'q%3Aweirs', [1, 3, 5, 7]);
    await walk('/saved', 'c%3Asaved', [4, 8, 2]);
    assertClean();
  });

  // Promise [website]: On a phone, swipes move between enlarged pictures, two fingers zoom, and Back closes.
  it('shows enlarged pictures with fingers only, without leaving the post', async () => {
    const path = `/p/${slugs[1]}?in=t%3Aweirs`;
    const { page, context, assertClean } = await visit(path, { width: PHONE });
    const fingers = await context.newCDPSession(page);
    const touch = async (...moves: readonly (readonly number[])[]): Promise<void> => {
      for (const [index, xs] of [...moves, []].entries()) {
        const type = index === 0 ? 'touchStart' : xs.length === 0 ? 'touchEnd' : 'touchMove';
        const touchPoints = xs.map((x, id) => ({ x, y: 400, id }));
        await fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
      }
    };
    await page.locator('a[data-zoom]').first().tap();
    await page.getByRole('dialog', { name: 'Picture 1 of 2: Kingfisher' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Picture 2 of 2: Kingfisher' });
    await touch([300], [200], [90]);
    await dialog.waitFor();
    await auditLightAndDark(page, 'post-viewer');
    const { x, width } = (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!;
    expect(x + width).toBeLessThanOrEqual(PHONE);
    const shown = async (): Promise<number> => (await dialog.locator('img').boundingBox())!.width;
    const fitting = await shown();
    await touch([180, 220], [140, 260], [100, 300]);
    expect(await shown()).toBeGreaterThan(2 * fitting);
    await page.goBack();
    expect(await dialog.count()).toBe(0);
    await isAt(page, path);
    await page.locator('a[data-zoom]').first().tap();
    // Closing goes back in the history, a moment after the dialog is gone.
    const close = (opensAgain: boolean): Promise<void> =>
      page.evaluate(
        (again) =>
          new Promise<void>((resolve) => {
            addEventListener('popstate', () => setTimeout(resolve), { once: true });
            document.querySelector<HTMLElement>('.viewer [aria-label="Close"]')!.click();
            if (again) document.querySelector<HTMLElement>('a[data-zoom]')!.click();
          }),
        opensAgain,
      );
    await close(true);
    expect(await page.getByRole('dialog').count()).toBe(1);
    await close(false);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goBack({ waitUntil: 'commit' });
    expect(page.url()).toBe('about:blank');
    assertClean();
  });

  // Promise [website]: The home page of members begins with the posts of whom they follow.
  it('shows followed tags on the home page of members', async () => {
    const grace = await stack.createPerson('grace');
    const { page, assertClean } = await visit('/', { as: grace });
    await page.getByRole('link', { name: 'Following', exact: true }).click();
    await page.getByText('Here you will see the posts').waitFor();
    await auditLightAndDark(page, 'following-nobody');
    await page.goto('/t/weirs');
    await page.getByRole('button', { name: 'Follow #weirs' }).click();
    await page.getByRole('button', { name: 'Following #weirs (unfollow)' }).waitFor();
    await page.goto('/');
    expect(await page.locator('[data-tile]').count()).toBe(4);
    await page.getByRole('link', { name: 'Latest', exact: true }).click();
    await isAt(page, '/?sort=latest');
    expect(await page.locator('[data-tile]').count()).toBe(POSTS);
    expect(await page.locator('.period-menu').count()).toBe(0);
    await page.getByRole('link', { name: 'Top', exact: true }).click();
    await page.locator('.period-menu').waitFor();
    assertClean();
  });
});
