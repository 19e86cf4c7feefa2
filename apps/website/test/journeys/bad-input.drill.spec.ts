import { describeWithChromium, type Person, type Stack, startStack } from '@vitrine/testing';
import type { Page } from 'playwright-core';
import { upload } from '../support/gallery';
import { landscape, type SampleFile } from '../support/samples';
import { useBrowser, type Visitor, type VisitorOptions } from '../support/visitor';

/** A small limit, so that files that are too large are created quickly. */
const MAX_FILE_BYTES = 200_000;

describeWithChromium('bad input and failures', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let ada: Person;
  let slug: string;
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    stack = await start(
      startStack({
        without: ['media-processor', 'moderation-service'],
        env: { MAX_FILE_BYTES: String(MAX_FILE_BYTES) },
      }),
    );
    ada = await stack.createPerson('ada');
    const media = await upload(ada.client, await landscape('hill.jpg', 150));
    ({ slug } = await ada.client.posts.create({
      media_ids: [media.id],
      title: 'A hill',
      visibility: 'public',
    }));
  });

  let people = 0;
  /** A visitor with a separate account. */
  const enter = async (options?: VisitorOptions): Promise<Person> => {
    const person = await stack.createPerson(`person_${++people}`);
    visitor = await arrive({ as: person, ...options });
    ({ page } = visitor);
    return person;
  };
  const choose = async (...files: readonly SampleFile[]): Promise<void> => {
    await page.goto('/upload');
    await page.getByLabel('Choose pictures and videos').setInputFiles([...files]);
  };
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const commentsBy = async ({ username }: Person): Promise<string[]> => {
    const { data } = await stack.client().comments.on(slug).list({ limit: 100 });
    return data.filter(({ user }) => user?.username === username).map(({ content }) => content);
  };
  const postsBy = async ({ username }: Person): Promise<number> =>
    (
      await stack.sql('select 1 from posts p join users u on u.id = p.user_id where u.username = $1', [
        username,
      ])
    ).length;

  describe('with files', () => {
    // Promise [website]: Files with a problem are marked, and can be left out.
    it('are marked in the list if they have a problem, and can be left out', async () => {
      const person = await enter();
      await choose(
        { name: 'letter.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('Dear diary') },
        {
          name: 'vast.jpg',
          mimeType: 'image/jpeg',
          buffer: Buffer.concat([(await landscape('x', 3)).buffer, Buffer.alloc(MAX_FILE_BYTES)]),
        },
        { name: 'nothing.png', mimeType: 'image/png', buffer: Buffer.alloc(0) },
        await landscape('good.jpg', 77),
      );
      await row('letter.jpg')
        .getByText(/not a supported|damaged/)
        .waitFor();
      await row('vast.jpg')
        .getByText(/larger than/)
        .waitFor();
      await row('nothing.png').getByText('This file is empty.').waitFor();
      await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
      await page.getByLabel('Title').fill('The good one');
      const note = page.locator('#upload-problem-files-notice');
      expect(await note.textContent()).toBe('3 files have a problem');

      // The choice takes the place of the button, also for the keyboard.
      expect(await page.getByRole('button', { name: 'Post', exact: true }).count()).toBe(0);
      await page.getByRole('button', { name: 'Post without 3 files' }).press('Enter');
      await page.waitForURL('**/p/*');
      expect(await page.locator('.post-media').count()).toBe(1);
      expect(await postsBy(person)).toBe(1);
      visitor.assertClean([/status of 422/]);
    });

    // Promise [website]: A lost connection costs no upload and no comment.
    it('that lose their connection are uploaded once when it is back', async () => {
      const person = await enter();
      await page.goto('/upload');
      let lost = 0;
      // The request is sent, but its response is lost: the page can't know whether the service has the file.
      await page.route(stack.uploadUrl, async (route) => {
        if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
        lost++;
        await route.fetch();
        await visitor.context.setOffline(true);
        return route.abort('internetdisconnected');
      });
      await page.getByLabel('Choose pictures and videos').setInputFiles([await landscape('lost.jpg', 12)]);
      await page.locator('#upload-hold-text').getByText('You are offline.').waitFor();
      await visitor.context.setOffline(false);
      await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.waitForURL('**/p/*');
      const owned = await stack.sql(
        'select 1 from media m join users u on u.id = m.user_id where u.username = $1',
        [person.username],
      );
      expect(owned).toHaveLength(1);
      visitor.assertClean([/ERR_INTERNET_DISCONNECTED/]);
    });
  });

  describe('with texts', () => {
    const TEXT = 'A long thought that took a while to write.\nWith a second line, and "quotes" & <tags>.';
    const loseSession = (person: Person): Promise<string | null> => person.client.auth.logout();
    const fillLogin = async (tab: Page, person: Person): Promise<void> => {
      await tab.getByLabel('Username').fill(person.username);
      await tab.getByLabel('Password', { exact: true }).fill(person.password);
      await tab.getByRole('main').getByRole('button', { name: 'Log in' }).click();
    };

    // Promise [website]: Nothing typed is lost when the session ends.
    it('nothing typed is lost when the session ends', async () => {
      const person = await enter();
      await page.goto(`/p/${slug}`);
      await page.getByLabel('Add a comment').fill(TEXT);
      await loseSession(person);
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      const [tab] = await Promise.all([
        visitor.context.waitForEvent('page'),
        page
          .getByRole('main')
          .getByRole('link', { name: /^Log in/ })
          .click(),
      ]);
      await fillLogin(tab, person);
      await tab.waitForURL((url) => url.pathname !== '/login');
      await tab.close();

      expect(await page.getByLabel('Add a comment').inputValue()).toBe(TEXT);
      expect(await commentsBy(person)).toEqual([]);
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      expect(await commentsBy(person)).toEqual([TEXT]);
      visitor.assertClean([/status of 40[13]/]);
    });

    it('nothing typed is lost when the session ends, without scripts', async () => {
      const person = await enter({ javaScript: false });
      await page.goto(`/p/${slug}`);
      await page.getByLabel('Add a comment').fill(TEXT);
      await loseSession(person);
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await fillLogin(page, person);
      expect(await commentsBy(person)).toEqual([]);
      await page.getByRole('button', { name: /^Send/ }).click();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      expect(await commentsBy(person)).toEqual([TEXT]);
      visitor.assertClean([/status of 40[13]/]);
    });

    it('a comment that was sent without a connection is kept, and posted once', async () => {
      const person = await enter();
      await page.goto(`/p/${slug}`);
      await page.getByLabel('Add a comment').fill(TEXT);
      await visitor.context.setOffline(true);
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page
        .getByText('There is no connection. Your text is still here; try again in a moment.')
        .waitFor();
      expect(await page.getByLabel('Add a comment').inputValue()).toBe(TEXT);
      await visitor.context.setOffline(false);
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      expect(await commentsBy(person)).toEqual([TEXT]);
      visitor.assertClean([/ERR_INTERNET_DISCONNECTED/]);
    });

    // Promise [website]: A form that is sent twice is executed once.
    it.each([
      ['with scripts', true],
      ['without scripts', false],
    ])('a form that is sent twice is executed once, %s', async (_, javaScript) => {
      const person = await enter({ javaScript });
      await page.goto(`/p/${slug}`);
      await page.getByLabel('Add a comment').fill(TEXT);
      await page.getByRole('button', { name: 'Post', exact: true }).dblclick();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      expect(await commentsBy(person)).toEqual([TEXT]);

      // The same form again, as after the back button or in a second tab.
      await page.goBack();
      await page.goto(`/p/${slug}`);
      expect(await page.getByRole('article', { name: `Comment by ${person.username}` }).count()).toBe(1);
      visitor.assertClean();
    });

    // Promise [website]: Going back after posting posts nothing again.
    it('going back after posting creates no second post or comment', async () => {
      const person = await enter();
      await choose(await landscape('once.jpg', 33));
      await page.getByLabel('Title').fill('Only once');
      await page.getByRole('button', { name: 'Post', exact: true }).dblclick();
      await page.waitForURL('**/p/*');
      expect(await postsBy(person)).toBe(1);
      await page.goBack();
      await page.waitForLoadState('load');
      await page.goForward();
      await page.waitForLoadState('load');
      await page.reload();
      expect(await postsBy(person)).toBe(1);

      await page.getByLabel('Add a comment').fill('First!');
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      await page.reload();
      await page.goBack();
      await page.goForward();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      const own = await stack.sql(
        'select 1 from comments c join users u on u.id = c.user_id where u.username = $1',
        [person.username],
      );
      expect(own).toHaveLength(1);
      visitor.assertClean();
    });

    it('without scripts, reloading the page after posting posts nothing again', async () => {
      const person = await enter({ javaScript: false });
      await page.goto(`/p/${slug}`);
      await page.getByLabel('Add a comment').fill('Once, please');
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByRole('article', { name: `Comment by ${person.username}` }).waitFor();
      await page.reload();
      await page.goBack();
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.waitForLoadState('load');
      // After the back button, the form is as it was sent or empty; neither creates a second comment.
      expect(await commentsBy(person)).toEqual(['Once, please']);
    });

    it('a comment that is too long is refused with its text and the reason', async () => {
      const person = await enter({ javaScript: false });
      await page.goto(`/p/${slug}`);
      await page.getByLabel('Add a comment').fill('long '.repeat(150));
      await page.getByRole('button', { name: 'Post', exact: true }).click();
      await page.getByText(/500/).first().waitFor();
      expect(await page.locator('textarea').first().inputValue()).toBe('long '.repeat(150).trim());
      expect(await commentsBy(person)).toEqual([]);
    });
  });
});
