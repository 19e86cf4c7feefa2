import type { Media } from '@vitrine/client';
import { describeWithChromium, eventually, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Locator, Page } from 'playwright-core';
import { audit } from './support/audit';
import { upload } from './support/gallery';
import { landscape } from './support/samples';
import { PHONE, useBrowser, type Visitor, type VisitorOptions } from './support/visitor';

describeWithChromium('editing in a browser', () => {
  const { start, visit } = useBrowser();
  let stack: Stack;
  let owner: Person;
  let media: Media[];
  let visitor: Visitor;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    owner = await stack.createPerson('owner');
    const files = await Promise.all([10, 90, 170, 250].map((hue) => landscape(`${hue}.jpg`, hue, 300, 200)));
    media = await Promise.all(files.map((file) => upload(owner.client, file)));
    const titles = ['Alder', 'Birch', 'Cedar', 'Daphne'];
    await Promise.all(media.map(({ slug }, i) => owner.client.media.update(slug, { title: titles[i]! })));
  });

  /** A post of Alder, Birch and Cedar. */
  const newPost = async (): Promise<string> =>
    (await owner.client.posts.create({ media_ids: media.slice(0, 3).map(({ id }) => id), title: 'Trees' }))
      .slug;
  const orderOf = async (slug: string): Promise<(string | null)[]> =>
    (await owner.client.posts.get(slug)).media.map(({ title }) => title);
  const shown = (page: Page): Promise<string[]> => page.locator('.sheet .arranger-name').allInnerTexts();
  const openEditor = async (slug: string, options: VisitorOptions = {}): Promise<Page> => {
    visitor = await visit(`/p/${slug}`, { as: owner, ...options });
    const { page } = visitor;
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.locator('.sheet').waitFor();
    return page;
  };
  const handle = (page: Page, name: string): Locator =>
    page.getByRole('button', { name: `Move ${name}`, exact: true });
  /** Resolves when the server has accepted the order. */
  const orderSaved = (page: Page): Promise<unknown> =>
    page.waitForResponse((response) => response.url().endsWith('/order') && response.ok());

  // Promise [website]: The owner edits a post on its page.
  it('opens beside the page, saves, and shows the saved state without a page load', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await page.evaluate(() => document.documentElement.setAttribute('data-same-page', ''));
    expect(await page.getByRole('heading', { name: 'Edit your post' }).count()).toBe(1);
    expect(await page.locator('main[inert]').count()).toBe(1);

    await page.getByLabel('Title', { exact: true }).first().fill('Trees & <hedges>');
    await page.getByLabel('Tags').fill('trees, green');
    await page.getByRole('radio', { name: /^Private/ }).check();
    await page.locator('#post-details').getByRole('button', { name: 'Save' }).click();

    const link = page.locator('.sheet').getByLabel('Only this link opens the post');
    await link.waitFor();
    await page.getByText('Your changes were saved.').waitFor();
    const { access_key: key } = await owner.client.posts.get(slug);
    expect(await link.inputValue()).toBe(`${stack.siteUrl}/p/${slug}?key=${key}`);
    const copy = page.locator('.sheet').getByRole('button', { name: /^Copy/ });
    expect(await copy.evaluate((button) => document.activeElement === button)).toBe(true);
    await page.waitForFunction(() => document.querySelector('h1')?.textContent?.includes('<hedges>'));
    expect(await page.title()).toBe('Trees & <hedges> - Vitrine');
    await page.locator('main').getByText('green').waitFor();

    await page.keyboard.press('Escape');

    expect(await page.locator('.sheet').count()).toBe(0);
    expect(await page.locator('main[inert]').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Edit');
    expect(await page.getByLabel('Only this link opens the post').inputValue()).toContain(key);
    expect(await page.locator('html').getAttribute('data-same-page')).toBe('');
    visitor.assertClean();
  });

  it('shows errors beside the field, and keeps typed text', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    const title = page.getByLabel('Title', { exact: true }).first();
    await title.fill('x'.repeat(256));
    await page.getByLabel('Tags').fill('b*d');
    await page.locator('#post-details').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/title.*255 characters/).waitFor();
    expect(await title.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Tags').getAttribute('aria-invalid')).toBe('true');
    expect(await title.inputValue()).toBe('x'.repeat(256));

    // What is typed while the rest is saved is not saved.
    await title.fill('Typed in time');
    await page.getByLabel('Tags').fill('trees');
    await page.route(`**/p/${slug}/edit`, async (route) => {
      await title.fill('Typed too late');
      await route.continue();
    });
    await page.locator('#post-details').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your changes were saved.').waitFor();

    // Closing would lose the change, so the page asks.
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.locator('.sheet').count()).toBe(1);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Done' }).click();
    await page.locator('.sheet').waitFor({ state: 'detached' });
    visitor.assertClean([/422/]);
  });

  it('asks before it closes if something was typed while it saved', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    let save!: () => void;
    const saving = new Promise<void>((resolve) => (save = resolve));
    await page.route(`**/p/${slug}/edit`, async (route) => {
      if (route.request().method() === 'POST') await saving;
      return route.fallback();
    });
    const title = page.getByLabel('Title', { exact: true }).first();
    await title.fill('Trees');
    await page.locator('#post-details').getByRole('button', { name: 'Save' }).click();
    await title.fill('Trees and hedges');
    save();
    await page.getByText('Your changes were saved.').waitFor();
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await title.inputValue()).toBe('Trees and hedges');
    visitor.assertClean();
  });

  // Promise [website]: The owner reorders media with mouse, touch or keys, adds media, and takes media out.
  it('reorders media by keys and buttons, and announces their positions', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await handle(page, 'Cedar').focus();
    let saved = orderSaved(page);
    await page.keyboard.press('Home');
    await saved;
    expect(await shown(page)).toEqual(['Cedar', 'Alder', 'Birch']);
    expect(await orderOf(slug)).toEqual(['Cedar', 'Alder', 'Birch']);
    expect(await page.locator('[data-announcements]').innerText()).toBe('Position 1 of 3.');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move Cedar');

    saved = orderSaved(page);
    await page.getByRole('button', { name: 'Move Alder down' }).press('Enter');
    await saved;
    expect(await orderOf(slug)).toEqual(['Cedar', 'Birch', 'Alder']);
    expect(await page.locator('[data-announcements]').innerText()).toBe('Position 3 of 3.');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Move Alder down',
    );
    // The page behind is updated.
    await page.waitForFunction(
      (first) => document.querySelector('.post-media')?.getAttribute('data-id') === first,
      media[2]!.slug,
    );
    visitor.assertClean();
  });

  it('saves the last order of several quick moves', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await handle(page, 'Alder').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp', 'End']) await page.keyboard.press(key);
    expect(await shown(page)).toEqual(['Birch', 'Cedar', 'Alder']);
    await eventually(async () => expect(await orderOf(slug)).toEqual(['Birch', 'Cedar', 'Alder']));
    await page.waitForFunction(
      (last) => [...document.querySelectorAll<HTMLElement>('.post-media')].at(-1)?.dataset['id'] === last,
      media[0]!.slug,
    );
    visitor.assertClean();
  });

  it('reorders media by mouse', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await handle(page, 'Alder').scrollIntoViewIfNeeded();
    await handle(page, 'Cedar').scrollIntoViewIfNeeded();
    const saved = orderSaved(page);
    await handle(page, 'Alder').hover();
    await page.mouse.down();
    const { x, y, height } = (await page.locator('.arranger-row').nth(2).boundingBox())!;
    await page.mouse.move(x + 30, y + height / 2, { steps: 12 });
    // Escape during a drag cancels the drag, and the editor stays open.
    await page.keyboard.press('Escape');
    await page.mouse.up();
    expect(await shown(page)).toEqual(['Alder', 'Birch', 'Cedar']);
    await handle(page, 'Alder').hover();
    await page.mouse.down();
    await page.mouse.move(x + 30, y + height / 2, { steps: 12 });
    await page.mouse.up();
    await saved;
    expect(await shown(page)).toEqual(['Birch', 'Cedar', 'Alder']);
    expect(await orderOf(slug)).toEqual(['Birch', 'Cedar', 'Alder']);
    visitor.assertClean();
  });

  it('reorders media by touch', async () => {
    const slug = await newPost();
    const page = await openEditor(slug, { width: PHONE });
    await handle(page, 'Cedar').evaluate((grip) => grip.scrollIntoView({ block: 'center' }));
    const from = (await handle(page, 'Cedar').boundingBox())!;
    const to = (await page.locator('.arranger-row').first().boundingBox())!;
    const touch = await visitor.context.newCDPSession(page);
    const point = (ratio: number) => ({
      x: from.x + from.width / 2,
      y: from.y + from.height / 2 + ratio * (to.y + to.height / 2 - from.y - from.height / 2),
    });
    const saved = orderSaved(page);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point(0)] });
    for (let step = 1; step <= 10; step++) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point(step / 10)] });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await saved;
    expect(await orderOf(slug)).toEqual(['Cedar', 'Alder', 'Birch']);
    visitor.assertClean();
  });

  it('restores the rows if the order could not be saved', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await page.route('**/order', (route) => route.abort());
    await handle(page, 'Cedar').press('Home');
    await page.getByText('There is no connection.').waitFor();
    expect(await shown(page)).toEqual(['Alder', 'Birch', 'Cedar']);
    await page.unroute('**/order');
    const saved = orderSaved(page);
    await handle(page, 'Cedar').press('Home');
    await saved;
    expect(await orderOf(slug)).toEqual(['Cedar', 'Alder', 'Birch']);
    visitor.assertClean([/net::ERR_FAILED/]);
  });

  it('removes media, and puts them back at their previous position', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await page.getByRole('button', { name: 'Remove Birch from the post' }).click();
    await page.locator('[data-removed]').getByText('Birch was removed from the post.').waitFor();
    expect(await orderOf(slug)).toEqual(['Alder', 'Cedar']);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');

    await page.keyboard.press('Enter');

    await page
      .locator('[data-removed]')
      .getByText('Birch was removed from the post.')
      .waitFor({ state: 'detached' });
    expect(await shown(page)).toEqual(['Alder', 'Birch', 'Cedar']);
    expect(await orderOf(slug)).toEqual(['Alder', 'Birch', 'Cedar']);
    // The page has the server's order.
    const saved = orderSaved(page);
    await handle(page, 'Birch').press('Home');
    await saved;
    expect(await orderOf(slug)).toEqual(['Birch', 'Alder', 'Cedar']);
    visitor.assertClean();
  });

  it('adds media from the owner’s uploads', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await page.getByRole('link', { name: 'Add from your media' }).click();
    await page.getByLabel('Daphne').check();
    expect(await page.getByLabel('In the post: Alder').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await handle(page, 'Daphne').waitFor();
    expect(await orderOf(slug)).toEqual(['Alder', 'Birch', 'Cedar', 'Daphne']);
    const saved = orderSaved(page);
    await handle(page, 'Daphne').press('Home');
    await saved;
    expect(await orderOf(slug)).toEqual(['Daphne', 'Alder', 'Birch', 'Cedar']);
    const add = page.getByRole('link', { name: 'Upload more' });
    expect(await add.getAttribute('href')).toBe(`/upload?post=${slug}`);
    visitor.assertClean();
  });

  it('edits details of media in the list, and deletes the post after a confirmation', async () => {
    const slug = await newPost();
    const page = await openEditor(slug);
    await page.getByText('Title and description of Alder').click();
    const row = page.locator('.arranger-row').first();
    await row.getByLabel('Alternative text').fill('An alder by a stream');
    await row.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your changes were saved.').waitFor();
    expect((await owner.client.media.get(media[0]!.slug)).alt_text).toBe('An alder by a stream');

    await page.getByText('Delete post …').click();
    // Until it is left, the page may ask for the state of the deleted post.
    visitor.assertClean();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.waitForURL('**/u/owner');
    await expect(owner.client.posts.get(slug)).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['by day', {}],
    ['by night on a phone', { width: PHONE, dark: true } as const],
  ])('passes the audit %s', async (_, options) => {
    const slug = await newPost();
    const page = await openEditor(slug, options);
    await page.getByText('Title and description of Alder').click();
    await page.getByRole('link', { name: 'Add from your media' }).click();
    await page.locator('#picker').waitFor();
    await audit(page, 'editor-sheet');
    for (const [path, name] of [
      [`/p/${slug}/edit`, 'editor-post'],
      [`/p/${slug}/media`, 'editor-picker'],
      [`/m/${media[0]!.slug}/edit`, 'editor-media'],
    ] as const) {
      await page.goto(path);
      await audit(page, name);
    }
    visitor.assertClean();
  });
});
