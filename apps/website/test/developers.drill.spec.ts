import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithChromium, type Person, readOpenApi, type Stack, borrowStack } from '@vitrine/testing';
import { audit } from './support/audit';
import { landscape } from './support/samples';
import { PHONE, useBrowser, type Visitor } from './support/visitor';

const document = readOpenApi();
const groups = document.tags.map(({ name }) => name);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const hasPython = spawnSync('python3', ['-c', 'import requests']).status === 0;

describeWithChromium('the API’s documentation', () => {
  const { start, arrive } = useBrowser();
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-samples-'));
  let stack: Stack;
  let ada: Person;
  let visitor: Visitor;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    stack = await start(borrowStack({ without: ['media-processor', 'moderation-service'] }));
    ada = await stack.createPerson('ada');
    const { token } = await ada.client.tokens.create({
      name: 'samples',
      current_password: ada.password,
    });
    env = { PATH: process.env['PATH'], TOKEN: token, SESSION: ada.session, NO_PROXY: '*' };
    writeFileSync(join(folder, 'photo.jpg'), (await landscape('photo.jpg', 120)).buffer);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    visitor = await arrive();
  });

  /** The text of a sample, as copied from the page. */
  async function sampleOf(operation: string, language: string): Promise<string> {
    const group = operations.find(({ operationId }) => operationId === operation)!.tags[0]!;
    const path = `/developers/${group}`;
    if (new URL(visitor.page.url(), stack.siteUrl).pathname !== path) await visitor.page.goto(path);
    return (await visitor.page.locator(`#${operation}-${language}`).textContent())!;
  }

  /** Runs a program and returns its output. Throws its stderr if it fails. */
  function run(language: string, text: string): Promise<string> {
    writeFileSync(join(folder, 'sample.mjs'), text);
    writeFileSync(join(folder, 'sample.py'), text);
    const [program, args] =
      language === 'curl'
        ? (['sh', ['-ec', text]] as const)
        : language === 'python'
          ? (['python3', ['sample.py']] as const)
          : (['node', ['sample.mjs']] as const);
    const child = spawn(program, args, { cwd: folder, env });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on('data', (data) => out.push(String(data)));
    child.stderr.on('data', (data) => err.push(String(data)));
    return new Promise((done, fail) =>
      child.on('close', (status) =>
        status === 0 ? done(out.join('')) : fail(new Error(`${language}: ${err.join('')}\n${text}`)),
      ),
    );
  }

  // Promise [website]: `/developers` lists every operation, with samples that work unchanged.
  it('lists every operation of the document once, under its operationId', async () => {
    const { page } = visitor;
    const found: string[] = [];
    for (const group of groups) {
      expect((await page.goto(`/developers/${group}`))?.status()).toBe(200);
      found.push(...(await page.locator('.operation').evaluateAll((all) => all.map(({ id }) => id))));
    }
    expect(found.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect((await page.goto('/developers/nothing'))?.status()).toBe(404);
    visitor.assertClean([/404/]);
  });

  it.each(['curl', 'javascript', ...(hasPython ? ['python'] : [])])(
    'has samples in %s that work unchanged',
    async (language) => {
      const sample = async (operation: string, put = (text: string): string => text): Promise<string> =>
        run(language, put(await sampleOf(operation, language)));

      // The other languages print objects differently, so the result is read from the API.
      await sample('uploadMedia');
      const { data: media } = await ada.client.users.media('ada').list({ limit: 1 });
      const { id, slug } = media[0]!;
      await sample('updateMedia', (text) => text.replaceAll('aB3dE5f', slug));
      expect((await ada.client.media.get(slug)).title).toBe('Evening at the harbour');

      await sample('createPost', (text) => text.replace(/(media_ids['"]?:\s*\[\s*)1/, `$1${id}`));
      const { data: posts } = await ada.client.users.posts('ada').list({ limit: 1 });
      const post = posts[0]!.slug;
      const inPost = (text: string): string => text.replaceAll('aB3dE5f', post);
      await sample('upvotePost', inPost);
      expect((await ada.client.posts.get(post)).score).toBe(1);
      expect(await sample('getPost', inPost)).toContain(post);
      expect(await sample('getMe')).toContain('ada');
      expect(await sample('listTokens')).toContain('samples');
      expect(await sample('listPosts')).toContain('links');
      await sample('deletePost', inPost);
      await expect(ada.client.posts.get(post)).rejects.toMatchObject({ code: 'not_found' });
    },
  );

  it.each(['curl', 'javascript', ...(hasPython ? ['python'] : [])])(
    'has recipes in %s that work',
    async (language) => {
      await visitor.page.goto('/developers');
      const recipe = async (id: string): Promise<string> =>
        run(language, (await visitor.page.locator(`#${id}-${language}`).textContent())!);
      expect(await recipe('upload-a-file')).toMatch(/^http:\/\/localhost:\d+\/f\/\w{7}\.jpg\n$/);
      await recipe('make-a-post');
      const moderator = await stack.createPerson(`mona_${language}`, { role: 'moderator' });
      const { data } = await ada.client.users.media('ada').list({ limit: 1 });
      await moderator.client.moderation.ruleOnMedia(data[0]!.slug, { status: 'approved', reason: 'Fine.' });
      expect(await recipe('walk-a-list')).toMatch(/0\s+Evening at the harbour\n/);
    },
  );

  it('shows one language at a time, also without scripts, and remembers it with scripts', async () => {
    const { page } = visitor;
    await page.goto('/developers/posts');
    expect(await page.locator('#listPosts-curl').isVisible()).toBe(true);
    expect(await page.locator('#listPosts-python').isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Python' }).check();
    expect(await page.locator('#listPosts-python').isVisible()).toBe(true);
    expect(await page.locator('#listPosts-curl').isVisible()).toBe(false);
    await page.goto('/developers/media');
    expect(await page.locator('#listMedia-python').isVisible()).toBe(true);
    visitor.assertClean();

    visitor = await arrive({ javaScript: false });
    await visitor.page.goto('/developers/posts');
    await visitor.page.getByRole('radio', { name: 'JavaScript' }).check();
    expect(await visitor.page.locator('#listPosts-javascript').isVisible()).toBe(true);
    expect(await visitor.page.locator('#listPosts-curl').isVisible()).toBe(false);
  });

  it('passes the audit, also on a phone', async () => {
    await visitor.page.goto('/developers');
    await audit(visitor.page, 'developers');
    await visitor.page.goto('/developers/comments');
    await audit(visitor.page, 'developers-group');
    visitor.assertClean();
    visitor = await arrive({ width: PHONE, dark: true });
    await visitor.page.goto('/developers/objects');
    await audit(visitor.page, 'developers-objects');
    visitor.assertClean();
  });
});
