import { describeWithChromium, eventually, type Stack, borrowStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { animation, landscape, video } from '../support/samples';
import { PHONE, useBrowser } from '../support/visitor';

// Complete user journeys that use only the links and forms of the pages.
describeWithChromium('people', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;

  beforeAll(async () => {
    stack = await start(borrowStack());
  });

  const choose = async (page: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> => {
    await page.goto('/upload');
    await page.getByLabel('Choose pictures and videos').setInputFiles(files);
  };
  const post = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.waitForURL((url) => url.pathname !== '/upload');
  };
  const status = async (page: Page, path: string): Promise<number | undefined> =>
    (await page.goto(path))?.status();
  // Cancels the body, because an unread response would block the server.
  const statusOf = async (url: string): Promise<number> => (await fetch(url, { method: 'HEAD' })).status;

  // Promise [website]: People register, create a token, post, comment, vote, follow, hide a post and delete
  // it in one journey.
  it('sign up, create a token, post three files, comment, vote, follow, hide the post and delete it', async () => {
    const ada = await arrive();
    const { page } = ada;
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Welcome, ada!').waitFor();

    await page.goto('/settings/tokens');
    await page.getByLabel('Name').fill('A program');
    await page.getByLabel('Your password').fill('a long enough password');
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect((await stack.client(token).me.get()).username).toBe('ada');
    await page.goto('/settings/tokens');
    expect(await page.content()).not.toContain(token);

    await choose(page, [
      await landscape('hills.jpg', 200),
      await animation('blinking.gif'),
      video('card.mp4'),
    ]);
    await page.getByLabel('Title').fill('Three views of a hill');
    await page.getByLabel('Tags').fill('hills, walks');
    await post(page);
    const path = new URL(page.url()).pathname;
    expect(path).toMatch(/^\/p\/[A-Za-z0-9]{7}$/);
    expect(await page.title()).toBe('Three views of a hill - Vitrine');
    expect(await page.locator('.post-media').count()).toBe(3);
    const slug = path.slice('/p/'.length);
    await eventually(async () => {
      expect((await stack.client().posts.get(slug)).moderation_status).toBe('approved');
    });

    const grace = await arrive({ as: await stack.createPerson('grace'), width: PHONE });
    await grace.page.goto('/');
    await grace.page.getByRole('link', { name: 'Three views of a hill' }).click();
    await grace.page.waitForURL(`**${path}`);
    await grace.page.getByLabel('Add a comment').fill('Where is this?');
    await grace.page.getByRole('button', { name: 'Post', exact: true }).click();
    await grace.page.getByRole('article', { name: 'Comment by grace' }).waitFor();
    await grace.page.getByRole('button', { name: 'Upvote this post' }).click();
    await grace.page.locator('[aria-pressed="true"][aria-label="Upvote this post"]').waitFor();
    await eventually(async () => expect(await grace.page.locator('.post-vote-score').innerText()).toBe('1'));
    await grace.page.getByRole('button', { name: /^Follow/ }).click();
    await grace.page.getByRole('button', { name: /^(?:Unfollow|Following|Stop following)/ }).waitFor();

    await page.goto(path);
    const question = page.getByRole('article', { name: 'Comment by grace' });
    await question.getByRole('link', { name: 'Reply to grace' }).click();
    await page.getByLabel('Your reply').fill('In the north.');
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    await page.getByRole('article', { name: 'Comment by ada' }).getByText('In the north.').waitFor();
    await question.getByRole('button', { name: 'Upvote grace’s comment' }).click();
    await question.locator('.votes:not([aria-busy]) [aria-pressed="true"]').waitFor();
    await page.goto('/u/ada/followers');
    await page.getByRole('main').getByRole('link', { name: 'grace' }).first().waitFor();

    const { data: comments } = await stack.client().comments.on(slug).list();
    const [asked, answered] = comments;
    expect(asked).toMatchObject({ content: 'Where is this?', score: 1, user: { username: 'grace' } });
    expect(answered).toMatchObject({
      content: 'In the north.',
      parent_id: asked!.id,
      user: { username: 'ada' },
    });

    await page.goto(path);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('radio', { name: /^Private/ }).check();
    await page.locator('#post-details').getByRole('button', { name: 'Save' }).click();
    const link = await page.getByLabel('Only this link opens the post').first().inputValue();
    expect(link).toMatch(new RegExp(`^${stack.siteUrl}${path}\\?key=\\w{32}$`));
    expect(await status(grace.page, path)).toBe(404);
    const stranger = await arrive();
    expect(await status(stranger.page, `${path}?key=${'x'.repeat(32)}`)).toBe(404);
    expect(await status(stranger.page, link)).toBe(200);
    expect(await stranger.page.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex');
    await grace.page.goto('/');
    expect(await grace.page.getByRole('link', { name: 'Three views of a hill' }).count()).toBe(0);

    await page.goto(path);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByText('Delete post …').click();
    await page.getByLabel(/^Delete its \d+ files too/).uncheck();
    await page.getByRole('button', { name: 'Delete post' }).click();
    await page.waitForURL((url) => url.pathname !== path);
    expect(await status(page, path)).toBe(404);
    expect(await status(stranger.page, link)).toBe(404);
    await page.goto('/u/ada/media');
    expect(await page.getByRole('main').locator('[data-grid] > li').count()).toBe(3);
    for (const { assertClean } of [ada, grace, stranger]) assertClean([/status of 404/]);
  });

  // Promise [website]: Guests upload, and delete their files by a private link.
  it('upload without an account, and delete one file and then all by their private link', async () => {
    const guest = await arrive({ width: PHONE });
    const { page } = guest;
    await choose(page, [await landscape('one.jpg', 40), await landscape('two.jpg', 80)]);
    await page.getByLabel('Title').fill('Without an account');
    await post(page);
    const link = await page.getByLabel('Private link', { exact: true }).inputValue();
    const shared = await page.getByLabel('Link to share').inputValue();

    const stranger = await arrive();
    expect(await status(stranger.page, shared)).toBe(200);
    expect(await stranger.page.locator('[href^="/u/"]').count()).toBe(0);
    const files = await stranger.page
      .locator('.post-media')
      .evaluateAll((blocks) =>
        blocks.map((block) => block.querySelector<HTMLAnchorElement>('a[href*="/f/"]')?.href ?? ''),
      );
    expect(files).toHaveLength(2);
    for (const file of files) expect(await statusOf(file)).toBe(200);

    const elsewhere = await arrive({ javaScript: false });
    await elsewhere.page.goto(link);
    await elsewhere.page
      .getByRole('region', { name: 'Files' })
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click();
    await elsewhere.page.getByText('The file was deleted.').waitFor();
    await elsewhere.page.getByRole('button', { name: 'Delete everything' }).click();
    await elsewhere.page.getByText('Everything under your private link was deleted.').waitFor();
    expect(await status(stranger.page, shared)).toBe(404);
    expect(await status(elsewhere.page, link)).toBe(404);
    await eventually(async () => {
      const left = await Promise.all(files.map(statusOf));
      expect(left).toEqual([404, 404]);
    });
    for (const { assertClean } of [guest, stranger, elsewhere]) assertClean([/status of 404/]);
  });

  // Promise [website]: A report leads to a ruling by one key, and the moderator can undo the ruling.
  it('report a file, which a moderator rejects by one key and restores by an undo', async () => {
    const [author, reporter, judge] = await Promise.all([
      stack.createPerson('author'),
      stack.createPerson('reporter'),
      stack.createPerson('judge', { role: 'moderator' }),
    ]);
    const file = await landscape('hill.jpg', 280);
    const media = await author.client.media.upload(Uint8Array.from(file.buffer), { name: file.name });
    const { slug } = await author.client.posts.create({
      media_ids: [media.id],
      title: 'Reported',
      visibility: 'public',
    });
    await eventually(async () => {
      expect((await stack.client().posts.get(slug)).moderation_status).toBe('approved');
    });

    const reporting = await arrive({ as: reporter });
    await reporting.page.goto(`/m/${media.slug}`);
    await reporting.page.getByText('Report this media').click();
    await reporting.page.getByLabel('What is wrong with this media?').selectOption('abuse');
    await reporting.page.getByLabel('Details (optional)').fill('Look at this.');
    await reporting.page.getByRole('button', { name: 'Send report' }).click();
    await eventually(async () => expect((await judge.client.moderation.queue.list()).data).toHaveLength(1));

    const judging = await arrive({ as: judge });
    const { page } = judging;
    await page.goto('/moderation');
    await page.getByText('Look at this.').waitFor();
    await page.keyboard.press('r');
    await page.getByText('The queue is empty.').waitFor();
    // The decision is held back for a moment before it is sent.
    await eventually(async () => expect(await statusOf(media.urls.original)).toBe(404));
    const stranger = await arrive();
    expect(await status(stranger.page, `/p/${slug}`)).toBe(404);

    await page.keyboard.press('u');
    await eventually(async () => expect(await statusOf(media.urls.original)).toBe(200));
    expect(await status(stranger.page, `/p/${slug}`)).toBe(200);
    for (const { assertClean } of [reporting, judging, stranger]) assertClean([/status of 404/]);
  });
});
