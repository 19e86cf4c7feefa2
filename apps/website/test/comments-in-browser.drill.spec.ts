import { describeWithChromium, type Person, type Stack, borrowStack } from '@vitrine/testing';
import type { Locator, Page } from 'playwright-core';
import { audit } from './support/audit';
import { upload } from './support/gallery';
import { landscape } from './support/samples';
import { PHONE, useBrowser } from './support/visitor';

describeWithChromium('comments in a browser', () => {
  const { start, visit } = useBrowser();
  let stack: Stack;
  let author: Person;
  let reader: Person;
  let mediaId: number;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    [author, reader] = await Promise.all([stack.createPerson('author'), stack.createPerson('reader')]);
    mediaId = (await upload(author.client, await landscape('hills.jpg', 40, 300, 200))).id;
  });

  /** A post with two comments by the reader and a reply of the author. */
  const newPost = async (): Promise<{ slug: string; first: number; reply: number; second: number }> => {
    const { slug } = await author.client.posts.create({ media_ids: [mediaId], title: 'Hills' });
    const first = await reader.client.comments.create(slug, { content: 'Where is this?' });
    const reply = await author.client.comments.create(slug, {
      content: 'In the north.',
      parent_id: first.id,
    });
    const second = await reader.client.comments.create(slug, { content: 'Lovely.' });
    return { slug, first: first.id, reply: reply.id, second: second.id };
  };
  const comment = (page: Page, id: number): Locator => page.locator(`#c${id} > .comment-body`);
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => document.activeElement?.closest('.comment')?.id ?? document.activeElement?.id ?? '');

  it('are posted and replied to inline, with the keyboard only', async () => {
    const { slug, first } = await newPost();
    const { page, assertClean } = await visit(`/p/${slug}`, { as: reader });
    await page.getByLabel('Add a comment').focus();
    await page.keyboard.type('From the keyboard');
    await page.keyboard.press('Control+Enter');

    const posted = page.locator('.comment', { hasText: 'From the keyboard' });
    await posted.waitFor();
    await page.getByText('Your comment was posted.').waitFor();
    expect(await page.locator('.comment-list > .comment').last().innerText()).toContain('From the keyboard');
    expect(await focused(page)).toBe(await posted.getAttribute('id'));
    expect(await page.getByLabel('Add a comment').inputValue()).toBe('');
    expect(await page.getByRole('heading', { name: '4 comments' }).count()).toBe(1);

    await comment(page, first).getByRole('link', { name: 'Reply to reader' }).press('Enter');
    await page.keyboard.type('A reply');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    const reply = page.locator(`#c${first} > .comment-replies > .comment`).last();
    await page.getByText('Your reply was posted.').waitFor();
    expect(await reply.innerText()).toContain('A reply');
    expect(await page.locator(`#c${first} form.comment-form`).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/p/${slug}`);
    const { data } = await reader.client.comments.on(slug).list();
    expect(data.slice(-2).map(({ content, parent_id }) => [content, parent_id])).toEqual([
      ['From the keyboard', null],
      ['A reply', first],
    ]);
    // The fragment is the same as on a reloaded page.
    const inserted = await reply.evaluate((item) => item.outerHTML.replace(/value="[^"]*"| is-new/g, ''));
    await page.reload();
    const served = await reply.evaluate((item) => item.outerHTML.replace(/value="[^"]*"| is-new/g, ''));
    expect(inserted).toBe(served);
    assertClean();
  });

  it('keep typed text until it is posted', async () => {
    const { slug, first } = await newPost();
    const { page, assertClean } = await visit(`/p/${slug}`, { as: reader });
    await page.getByLabel('Add a comment').fill('A thought, not finished');
    await comment(page, first).getByRole('link', { name: 'Reply to reader' }).click();
    await page.getByLabel('Your reply to reader').fill('A reply, not finished');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Your reply to reader').count()).toBe(0);
    expect(await focused(page)).toBe(`c${first}`);

    await page.reload();

    expect(await page.getByLabel('Add a comment').inputValue()).toBe('A thought, not finished');
    expect(await page.locator('.has-draft').count()).toBe(1);
    await comment(page, first).getByRole('link', { name: 'Reply to reader' }).click();
    expect(await page.getByLabel('Your reply to reader').inputValue()).toBe('A reply, not finished');
    let send: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (send = resolve));
    await page.route(/\/comments(\?|$)/, (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    expect(await page.getByLabel('Add a comment').isEditable()).toBe(false);
    send?.();
    await page.getByText('Your comment was posted.').waitFor();
    expect(await page.getByLabel('Add a comment').isEditable()).toBe(true);
    await page.reload();
    expect(await page.getByLabel('Add a comment').inputValue()).toBe('');
    assertClean();
  });

  it('are kept when the session ends, and posted after a login in another tab', async () => {
    const { slug } = await newPost();
    const person = await stack.createPerson('expired');
    const { page, context, assertClean } = await visit(`/p/${slug}`, { as: person });
    await page.getByLabel('Add a comment').fill('Typed for a long time');
    // Through the API, because it caches sessions for half a second.
    for (const { id } of await person.client.sessions.list())
      await person.client.sessions.end(id, { current_password: person.password });
    await page.getByRole('button', { name: 'Post', exact: true }).click();

    const login = page.getByRole('link', { name: /Log in \(new tab\)/ });
    await login.waitFor();
    expect(await page.getByLabel('Add a comment').inputValue()).toBe('Typed for a long time');

    const [tab] = await Promise.all([context.waitForEvent('page'), login.click()]);
    await tab.getByLabel('Username').fill(person.username);
    await tab.getByLabel('Password', { exact: true }).fill(person.password);
    await tab.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    await tab.waitForURL((url) => url.pathname !== '/login');
    await page.getByRole('button', { name: 'Post', exact: true }).click();

    await page.getByText('Your comment was posted.').waitFor();
    const { data } = await reader.client.comments.on(slug).list({ sort: 'latest' });
    expect(data[0]).toMatchObject({ content: 'Typed for a long time', user: { username: 'expired' } });
    assertClean([/401|403/]);
  });

  it('show a vote at once, and revert it if the request fails', async () => {
    const { slug, reply } = await newPost();
    const { page, assertClean } = await visit(`/p/${slug}`, { as: reader });
    const up = comment(page, reply).getByRole('button', { name: /^Upvote/ });
    const score = comment(page, reply).locator('.comment-vote-score');
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/comments/${reply}/vote*`, async (route) => {
      await held;
      await route.abort();
    });

    await up.click();

    // The request is still pending.
    expect([await up.getAttribute('aria-pressed'), await score.innerText()]).toEqual(['true', '1']);
    answer?.();
    await comment(page, reply).getByRole('alert').waitFor();
    expect([await up.getAttribute('aria-pressed'), await score.innerText()]).toEqual(['false', '0']);
    await page.unroute(`**/comments/${reply}/vote*`);

    await up.click();
    await page.waitForFunction((id) => !document.querySelector(`#c${id} .votes[aria-busy]`), reply);
    expect([await up.getAttribute('aria-pressed'), await score.innerText()]).toEqual(['true', '1']);
    const { data } = await reader.client.comments.on(slug).list();
    expect(data.find(({ id }) => id === reply)).toMatchObject({ score: 1, isUpvotedByUser: true });
    assertClean([/ERR_FAILED|net::/]);
  });

  it('are deleted after a confirmation, and leave a tombstone if they have replies', async () => {
    const { slug, first, reply, second } = await newPost();
    const { page, assertClean } = await visit(`/p/${slug}`, { as: author });
    const remove = async (id: number): Promise<void> => {
      await comment(page, id)
        .getByLabel(/^More actions for/)
        .click();
      await comment(page, id).getByText('Delete …').click();
      await comment(page, id).getByRole('button', { name: 'Delete comment' }).click();
    };

    await remove(second);
    await page.locator(`#c${second}`).waitFor({ state: 'detached' });
    await remove(first);
    await comment(page, first).getByText('This comment was deleted.').waitFor();
    expect(await comment(page, reply).innerText()).toContain('In the north.');
    expect(await page.getByRole('heading', { name: '1 comment' }).count()).toBe(1);
    await remove(reply);
    // The tombstone had no other reply.
    await page.locator(`#c${first}`).waitFor({ state: 'detached' });
    expect(await page.locator('.comment').count()).toBe(0);
    expect((await author.client.comments.on(slug).list()).data).toEqual([]);
    assertClean();
  });

  it('are found by their address, also on another page of the thread', async () => {
    const { slug, second } = await newPost();
    await stack.sql(
      `insert into comments (post_id, user_id, content)
       select post_id, user_id, 'Number ' || i from comments, generate_series(1, 120) i where id = $1`,
      [second],
    );
    const [last] = (await reader.client.comments.on(slug).list({ sort: 'latest', limit: 1 })).data;

    const { page, assertClean } = await visit(`/p/${slug}#c${last!.id}`);

    await page.waitForURL(`**/p/${slug}?comment=${last!.id}#c${last!.id}`);
    // The browser focuses it when it has drawn the page.
    await page.locator(`#c${last!.id}:focus`).waitFor();
    // An unknown comment doesn't cause endless reloads.
    await page.goto(`/p/${slug}#c999999`);
    await page.waitForURL(`**/p/${slug}?comment=999999#c999999`);
    await page.getByText('no longer exists').waitFor();

    await page.goto(`/p/${slug}`);
    await comment(page, second).locator('.comment-time').click();
    await page.waitForURL(`**/p/${slug}#c${second}`);
    assertClean();
  });

  it('load replies that a page left out', async () => {
    const { slug, first, second } = await newPost();
    await stack.sql(
      `insert into comments (post_id, user_id, parent_id, content)
       select post_id, user_id, case when i > 118 then $2::bigint end, 'Number ' || i
       from comments, generate_series(1, 120) i where id = $1 order by i`,
      [second, first],
    );
    await stack.sql('update comments set replies_count = 3 where id = $1', [first]);
    const { page, assertClean } = await visit(`/p/${slug}`, { as: reader });
    const replies = page.locator(`#c${first} > .comment-replies > .comment`);
    expect(await replies.count()).toBe(1);

    await page.getByRole('link', { name: '2 more replies' }).click();

    await page.getByText('Number 120', { exact: true }).waitFor();
    expect(await replies.count()).toBe(3);
    expect(await page.getByRole('link', { name: 'more replies' }).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe(`/p/${slug}`);

    // A new comment is on another page; its form stays busy while that page loads, so that it is not sent again.
    await page
      .getByLabel('Add a comment')
      .evaluate((text) =>
        addEventListener('pagehide', () =>
          sessionStorage.setItem('busy', String(text.closest('form')?.ariaBusy)),
        ),
      );
    await page.getByLabel('Add a comment').fill('Number 121');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.waitForURL(/comment=\d+#c\d+$/);
    await page.getByText('Number 121', { exact: true }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('busy'))).toBe('true');
    assertClean();
  });

  it('keep the focus if the answer to another form comes while they are typed', async () => {
    const { slug } = await newPost();
    const { page } = await visit(`/p/${slug}`, { as: reader });
    let answer: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/u/author/follow', async (route) => {
      await held;
      await route.continue();
    });
    const [follow, following] = ['Follow author', 'Following author (unfollow)'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    await follow!.click();
    const text = page.getByLabel('Add a comment');
    await text.focus();
    answer?.();
    await following!.waitFor();
    await page.keyboard.type('Meanwhile');
    expect(await text.inputValue()).toBe('Meanwhile');
  });

  it('count code points near the limit', async () => {
    const { slug } = await newPost();
    const { page, assertClean } = await visit(`/p/${slug}`, { as: reader });
    const text = page.getByLabel('Add a comment');
    await text.fill('🦊'.repeat(401));
    await page.getByText('99 characters left.').waitFor();
    await text.fill('🦊'.repeat(502));
    await page.getByText('2 characters too many.').waitFor();
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await page.getByText('must not be greater than 500 characters').waitFor();
    expect(await text.inputValue()).toBe('🦊'.repeat(502));
    assertClean([/422/]);
  });

  it('stay readable on a phone in deep threads', async () => {
    const { slug, reply } = await newPost();
    let parent = reply;
    for (let depth = 0; depth < 12; depth++) {
      const content = `At depth ${depth}, with enough words that they have to be wrapped on a phone.`;
      parent = (await reader.client.comments.create(slug, { content, parent_id: parent })).id;
    }
    const { page, assertClean } = await visit(`/p/${slug}`, { as: reader, width: PHONE });
    const box = await comment(page, parent).locator('.rich-text').boundingBox();
    expect(box!.width).toBeGreaterThan(280);
    expect(await comment(page, parent).getByText('in reply to reader').isVisible()).toBe(true);
    await page.getByRole('link', { name: 'Reply to reader' }).first().click();
    await audit(page, 'comments');
    assertClean();
  });

  it.each([
    ['by day', {}],
    ['by night on a phone', { width: PHONE, dark: true } as const],
  ])('pass the audit %s, also without scripts', async (_, options) => {
    const { slug, first } = await newPost();
    const path = `/p/${slug}/comments/${first}?post=${slug}&next=/p/${slug}&author=author`;
    const { page, assertClean } = await visit(path, { as: reader, ...options });
    await audit(page, 'comment-replies');
    assertClean();
  });
});
