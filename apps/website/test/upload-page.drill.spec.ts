import { createHash } from 'node:crypto';
import { borrowStack, describeWithChromium, eventually, type Person, type Stack } from '@vitrine/testing';
import type { Locator, Page, Route } from 'playwright-core';
import { recordAnnouncements } from './support/announcements';
import { audit } from './support/audit';
import { notAPicture, photo, type SampleFile, swatch } from './support/samples';
import { giveFile } from './support/give-file';
import { answer, interceptUploads } from './support/upload-host';
import { DESK, PHONE, useBrowser, type VisitorOptions, type Visitor } from './support/visitor';

describeWithChromium('the upload page', () => {
  const { start, arrive, visit } = useBrowser();
  let stack: Stack;
  let ada: Person;
  let visitor: Visitor;
  let page: Page;
  let announcements: readonly string[];

  beforeAll(async () => {
    stack = await start(borrowStack());
    ada = await stack.createPerson('ada');
  });

  const open = async (options?: VisitorOptions): Promise<void> => {
    visitor = await visit('/upload', options);
    ({ page } = visitor);
    announcements = await recordAnnouncements(page, '#upload-says');
  };
  /** Waits until the sentence was announced: another announcement may follow it at once. */
  const announced = (sentence: string): Promise<void> =>
    eventually(() => expect(announcements).toContain(sentence));
  const choose = (...files: readonly SampleFile[]): Promise<void> =>
    page.getByLabel('Choose pictures and videos').setInputFiles([...files]);
  const row = (name: string): Locator => page.getByRole('listitem').filter({ hasText: name });
  const rowNames = (): Promise<string[]> => page.locator('.upload-name').allTextContents();
  const rowsIn = (stage: string): Locator => page.locator(`.upload-row[data-stage="${stage}"]`);
  /** Why the uploads wait; a moment later, the same words are announced. */
  const held = (reason: string | RegExp): Locator => page.locator('#upload-hold-text').getByText(reason);
  const uploaded = (count: number): Promise<void> =>
    rowsIn('uploaded')
      .nth(count - 1)
      .waitFor();
  const intercept = (times: number, handle: (route: Route) => Promise<void>): Promise<string[]> =>
    interceptUploads(page, stack.uploadUrl, times, handle);
  const post = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.waitForURL((url) => url.pathname !== '/upload');
  };

  it.each([
    [PHONE, true],
    [DESK, false],
  ] as const)('passes the audit at %s pixels, empty and with files', async (width, dark) => {
    await open({ width, dark });
    await audit(page, 'upload-empty');
    await choose(await photo('one.jpg'), await photo('two.jpg'), notAPicture('diary.jpg'));
    await uploaded(2);
    await rowsIn('failed').waitFor();
    await page.locator('[data-fate="ready"]').nth(1).waitFor();

    await audit(page, 'upload-full');

    expect(await row('diary.jpg').textContent()).toMatch(/not a supported picture or video/);
    await page.getByRole('button', { name: 'Post without 1 file' }).waitFor();
    expect(await page.getByText('Up to 100 MB each.').count()).toBe(1);
    visitor.assertClean([/422/]);
  });

  it('takes files that were chosen before its script had loaded', async () => {
    visitor = await arrive();
    ({ page } = visitor);
    let load!: () => void;
    const loading = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/upload*.js', (route) => loading.then(() => route.continue()));
    await page.goto('/upload', { waitUntil: 'commit' });
    await choose(await photo('eager.jpg'));
    load();
    await uploaded(1);
    visitor.assertClean();
  });

  // Promise [website]: One click creates a post from ordered files.
  it('creates one post from files that were reordered by keys, and going back does not return to the form', async () => {
    await open({ as: ada });
    await choose(await photo('b.jpg'), await photo('c.jpg'), await photo('a.jpg'));
    await page.getByRole('button', { name: 'Reorder a.jpg' }).press('Home');
    await announced('Position 1 of 3.');
    await page.getByRole('button', { name: 'Reorder c.jpg' }).press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    expect(await rowNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    await page.getByLabel('Title').fill('In order');
    await page.getByLabel('Tags').fill('#Harbour, night');
    await page.getByLabel('Unlisted').check();

    // Sent before the files are uploaded, and more than once.
    await page.getByRole('button', { name: 'Post', exact: true }).dblclick();
    await page.waitForURL((url) => url.pathname.startsWith('/p/'));

    const { data } = await ada.client.users.posts('ada').list();
    expect(data).toHaveLength(1);
    const made = await ada.client.posts.get(data[0]!.slug);
    expect(made).toMatchObject({ title: 'In order', tags: ['harbour', 'night'], visibility: 'hidden' });
    expect(made.media).toHaveLength(3);
    await page.goBack();
    expect(new URL(page.url()).pathname).not.toBe('/upload');
    await page.goto('/upload');
    expect(await page.locator('.upload-row').count()).toBe(0);
    visitor.assertClean();
  });

  it('keeps a row at the pointer while it is dragged, even if the files change', async () => {
    await open();
    await choose(await photo('b.jpg'), await photo('a.jpg'));
    await uploaded(2);
    const from = (await page.getByRole('button', { name: 'Reorder a.jpg' }).boundingBox())!;
    const to = (await page.getByRole('button', { name: 'Reorder b.jpg' }).boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2);
    expect(await rowNames()).toEqual(['a.jpg', 'b.jpg']);
    await choose(await photo('c.jpg'));
    await uploaded(3);
    expect(await rowNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    await page.mouse.up();
    await announced('Position 1 of 3.');
    expect(await rowNames()).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    visitor.assertClean();
  });

  it('stores a file once, however often its connection fails', async () => {
    await open({ as: ada });
    const before = (await ada.client.me.get()).media_count;
    let isFirst = true;
    const keys = await intercept(2, async (route) => {
      // The first request arrives; only its answer is lost.
      if (isFirst) await route.fetch();
      isFirst = false;
      await route.abort('connectionreset');
    });

    await choose(await photo('shaky.jpg'));
    await uploaded(1);

    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect((await ada.client.me.get()).media_count).toBe(before + 1);
    visitor.assertClean([/connection.*reset/i]);
  });

  // Promise [website]: Uploads stop without a connection, and continue with it.
  it('stops without a connection, and continues with it or when the visitor asks for it', async () => {
    await open();
    await visitor.context.setOffline(true);
    await choose(await photo('train.jpg'));
    await held('You are offline.').waitFor();
    await rowsIn('waiting').waitFor();
    await visitor.context.setOffline(false);
    await uploaded(1);

    // Never answered.
    await intercept(1, async () => undefined);
    await choose(await photo('tunnel.jpg'));
    // A row is "sending" before its request: a pause in between would leave the next request to be held.
    await eventually(() => expect(held).toHaveLength(1));
    await page.getByRole('button', { name: 'Pause' }).click();
    await rowsIn('waiting').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await uploaded(2);
    visitor.assertClean([/ERR_INTERNET_DISCONNECTED|fetching the script/]);
  });

  it('requests a new ticket only when the old one has expired', async () => {
    await open({ as: ada });
    let tickets = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/upload/ticket')) tickets++;
    });
    await choose(await photo('early.jpg'), await photo('early too.jpg'));
    await uploaded(2);
    expect(tickets).toBe(1);
    await intercept(1, answer(401));

    await choose(await photo('late.jpg'));
    await uploaded(3);

    expect(tickets).toBe(2);
    visitor.assertClean([/401/]);
  });

  it('says when a rate limit ends, and retries earlier if the visitor asks for it', async () => {
    await open();
    await intercept(1, answer(429, { 'Retry-After': '7200' }));
    await choose(await photo('much.jpg'));
    await held(/uploads continue (at|on \w+ at) \d\d:\d\d/).waitFor();
    await rowsIn('waiting').waitFor();

    await page.getByRole('button', { name: 'Continue now' }).click();
    await uploaded(1);
    visitor.assertClean([/429/]);
  });

  it('shows why a file is refused permanently, and does not retry it', async () => {
    const moderator = await stack.createPerson('mod', { role: 'moderator' });
    const banned = await photo('banned.jpg');
    await moderator.client.moderation.hashes.ban({
      hash: createHash('sha256').update(banned.buffer).digest('hex'),
      reason: 'illegal',
    });
    await open();
    await choose(banned, { ...notAPicture('empty.jpg'), buffer: Buffer.alloc(0) });
    await rowsIn('failed').nth(1).waitFor();
    // A file of 100 MB and one byte that takes no disk space here.
    await page.evaluate(() => {
      const piece = new Uint8Array(1_048_576);
      const file = new File([...Array.from({ length: 100 }, () => piece), 'x'], 'film.mp4', {
        type: 'video/mp4',
      });
      const data = new DataTransfer();
      data.items.add(file);
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });

    await rowsIn('failed').nth(2).waitFor();

    expect(await row('banned.jpg').textContent()).toMatch(/moderators have banned it/);
    expect(await row('empty.jpg').textContent()).toMatch(/empty/);
    expect(await row('film.mp4').textContent()).toMatch(/larger than the limit of 100 MB/);
    expect(await page.getByRole('button', { name: /Try again/ }).count()).toBe(0);
    visitor.assertClean([/451/]);
  });

  it('waits for a login if the session has ended, and loses nothing', async () => {
    const leaver = await stack.createPerson('leaver');
    await open({ as: leaver });
    await leaver.client.auth.logout();
    await choose(await photo('patient.jpg'));
    await held('Your session has ended').waitFor();
    await page.getByLabel('Title').fill('Still here');

    const logIn = page.getByRole('link', { name: 'Log in (new tab)' });
    const tab = await visitor.context.newPage();
    await tab.goto((await logIn.getAttribute('href')) ?? '');
    await tab.getByLabel('Username').fill(leaver.username);
    await tab.getByLabel('Password', { exact: true }).fill(leaver.password);
    await tab.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await tab.waitForURL((url) => url.pathname === '/upload');
    await page.getByRole('button', { name: 'Continue now' }).click();
    await uploaded(1);
    await post();

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Still here');
    visitor.assertClean([/401|403/]);
  });

  it('sends nothing as another user who has logged in since', async () => {
    const grace = await stack.createPerson('grace');
    await open({ as: ada });
    await visitor.logIn(grace);

    await choose(await photo('whose.jpg'));
    await held('or someone else is logged in').waitFor();

    expect((await grace.client.me.get()).media_count).toBe(0);
    await visitor.logIn(ada);
    await page.getByRole('button', { name: 'Continue now' }).click();
    await uploaded(1);
    visitor.assertClean([/409|403/]);
  });

  it('keeps the texts if the post can’t be created, and creates it later', async () => {
    await open();
    await choose(await photo('stays.jpg'));
    await uploaded(1);
    await page.getByLabel('Title').fill('Not lost');
    await page.getByLabel('Description').fill('Two\nlines');
    await page.route(
      '**/upload',
      (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()),
      {
        times: 1,
      },
    );
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText('There is no connection. Your text is still here').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Two\nlines');

    await post();

    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Your post is online');
    visitor.assertClean([/ERR_FAILED/]);
  });

  it('asks before it is left, and restores everything after a reload', async () => {
    await open();
    await choose(await photo('kept.jpg'), notAPicture('refused.jpg'));
    await uploaded(1);
    await rowsIn('failed').waitFor();
    await page.getByLabel('Title').fill('After the crash');
    await page.getByLabel('Adult content').check();
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      }),
    );
    await page.reload();

    expect(await asked).toBe('beforeunload');
    await uploaded(1);
    expect(await rowNames()).toEqual(['kept.jpg']);
    expect(await page.getByLabel('Title').inputValue()).toBe('After the crash');
    expect(await page.getByLabel('Adult content').isChecked()).toBe(true);
    await post();
    visitor.assertClean([/422/]);
  });

  // Promise [website]: Files are dropped, pasted or chosen.
  it('accepts dropped and pasted files, each once', async () => {
    await open();
    const { buffer } = await photo('dropped.jpg');
    const give = (type: 'drop' | 'paste', name: string): Promise<void> => giveFile(page, type, name, buffer);
    await give('drop', 'dropped.jpg');
    await give('drop', 'dropped.jpg');
    await page.getByText('That file is already in the list.').waitFor();
    await give('paste', 'image.png');
    await uploaded(2);

    expect(await rowNames()).toEqual([
      'dropped.jpg',
      expect.stringMatching(/^Pasted at \d\d\.\d\d\.\d\d\.png$/),
    ]);
    visitor.assertClean();
  });

  it('takes files that were chosen before its script had loaded', async () => {
    visitor = await arrive();
    ({ page } = visitor);
    let load: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (load = resolve));
    await page.route('**/assets/upload-*.js', (route) => held.then(() => route.continue()));
    await page.goto('/upload', { waitUntil: 'commit' });
    await choose(await photo('quick.jpg'));
    load?.();
    await uploaded(1);
    visitor.assertClean();
  });

  it('deletes removed files from the service', async () => {
    await open({ as: ada });
    const before = (await ada.client.me.get()).media_count;
    await choose(await photo('no.jpg'), await photo('yes.jpg'));
    await uploaded(2);
    const gone = page.waitForResponse((response) => response.url().endsWith('/upload/discard'));

    await page.getByRole('button', { name: 'Remove no.jpg' }).click();

    expect((await gone).status()).toBe(200);
    await row('no.jpg').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Remove yes.jpg');
    expect((await ada.client.me.get()).media_count).toBe(before + 1);
    visitor.assertClean();
  });

  it('accepts more files than a post can have with few announcements, and keeps the rest', async () => {
    await open();
    const files = await Promise.all(Array.from({ length: 53 }, (_, i) => swatch(`${i}.png`, i)));
    await choose(...files);
    await uploaded(53);
    await page.getByText('The first 50 of these 53 go into this post').waitFor();
    await page.locator('#upload-says', { hasText: 'ready to post' }).waitFor();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText('Posted. You can use the remaining files for another post.').waitFor();
    await row('49.png').waitFor({ state: 'detached' });

    expect(await rowNames()).toEqual(['50.png', '51.png', '52.png']);
    expect(announcements.length).toBeLessThanOrEqual(4);
    expect(announcements.join(' ')).toMatch(/53 files added.*ready to post/);
    await post();
    visitor.assertClean();
  });

  it('gives a guest the private link, which can delete everything', async () => {
    await open({ width: PHONE });
    await choose(await photo('mine.jpg'));
    await page.getByLabel('Title').fill('Without an account');
    await post();
    await audit(page, 'guest-posted');
    const link = await page.getByLabel('Private link', { exact: true }).inputValue();

    const other = await arrive({ javaScript: false });
    await other.page.goto(link);
    await other.page.getByRole('link', { name: 'Without an account' }).waitFor();
    await other.page.getByRole('button', { name: 'Delete everything' }).click();
    await other.page.getByText('Everything under your private link was deleted.').waitFor();
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
    await other.close();
    // The first page looks again whether the post has been checked.
    visitor.assertClean([/404 .*\/g\//]);
  });
});
