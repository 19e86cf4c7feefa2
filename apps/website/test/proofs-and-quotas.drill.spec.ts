import { describeWithChromium, type Stack, startStack } from '@vitrine/testing';
import { audit } from './support/audit';
import { FormVisitor } from './support/form-visitor';
import { photo } from './support/samples';
import { DESK, PHONE, useBrowser } from './support/visitor';

const PASSWORD = 'correct horse battery';

describeWithChromium('a site with proofs of work and quotas', () => {
  const { start, arrive, visit } = useBrowser();
  let stack: Stack;

  beforeAll(async () => {
    stack = await start(
      startStack({
        without: ['media-processor', 'moderation-service'],
        env: {
          PROOF_OF_WORK_KEY: 'a-key-for-tests-of-32-characters-or-more',
          QUOTA_FILES_PER_GUEST: '1',
          QUOTA_BYTES_PER_ACCOUNT: '1GB',
          QUOTA_FILES_PER_ACCOUNT: '3',
          UPLOAD_BY_URL: 'private',
        },
      }),
    );
  });

  /** Signs up in the browser; returns the secret of the session. */
  const signUp = async (username: string, width: typeof PHONE | typeof DESK): Promise<string> => {
    const visitor = await visit('/register', { width, dark: width === PHONE });
    const { page, context } = visitor;
    await audit(page, 'register-with-proof');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText(`Welcome, ${username}!`).waitFor();
    visitor.assertClean();
    const cookies = await context.cookies();
    await visitor.close();
    return cookies.find(({ name }) => name === 'vitrine_session')?.value ?? '';
  };

  it('lets people sign up whose browser solves the challenge', async () => {
    const session = await signUp('solver', DESK);
    const { username, storage } = await stack.client(session).me.get();
    expect([username, storage]).toEqual([
      'solver',
      { bytes: 0, bytes_limit: 2 ** 30, files: 0, files_limit: 3 },
    ]);
  });

  // Promise [website]: The upload page fetches a file from an address that is pasted, if the site offers it.
  it('fetches a file from an address that is pasted', async () => {
    const session = await signUp('fetcher', DESK);
    const visitor = await arrive({ as: { session }, width: PHONE });
    const { page } = visitor;
    const { buffer } = await photo('afar.jpg');
    const { urls } = await stack.client(session).media.upload(new Blob([Uint8Array.from(buffer)]));
    await page.goto('/upload');
    await page.getByRole('textbox', { name: 'Address of a picture' }).waitFor();
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, `${urls.original}?other`);
    await page.keyboard.press('Enter');
    await page.locator('.upload-row[data-stage="uploaded"]').waitFor();
    await page.getByLabel('Address of a picture').fill(`${stack.siteUrl}/tags`);
    await page.keyboard.press('Enter');
    await page.getByText('must be a file of type').waitFor();
    visitor.assertClean([/422/]);
  });

  it('tells visitors without scripts that signing up needs them', async () => {
    const visitor = new FormVisitor(stack.siteUrl);
    expect((await visitor.open('/register')).html).toContain('turn on JavaScript');
    const refused = await visitor.submit('/register', { username: 'scriptless', password: PASSWORD });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('The proof_of_work field is required.');
  });

  // Promise [website]: Proofs of work are required in the API too.
  it('requires proofs in the API too', async () => {
    const client = stack.client();
    expect(await client.site()).toMatchObject({ proof_of_work: true });
    const account = { username: 'program', password: PASSWORD };
    for (const proof of [undefined, 'nonsense']) {
      await expect(
        client.auth.register({ ...account, ...(proof && { proof_of_work: proof }) }),
      ).rejects.toMatchObject({ status: 422, errors: { proof_of_work: [expect.any(String)] } });
    }
    expect((await client.auth.proofOfWork('guest')).parameters.data).toEqual({
      purpose: 'guest',
      difficulty: 100_000,
    });
  });

  it('lets guests upload who solve the challenge, and sends no file that does not fit', async () => {
    const { page, assertClean } = await arrive();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(stack.uploadUrl) && request.method() === 'POST') sent.push(request.url());
    });
    await page.goto('/upload');
    await page
      .getByLabel('Choose pictures and videos')
      .setInputFiles([await photo('one.jpg'), await photo('two.jpg')]);
    const rows = (stage: string) => page.locator(`.upload-row[data-stage="${stage}"]`);
    await rows('uploaded').waitFor();
    await rows('failed').getByText('Your account has no space left for this file.').waitFor();
    expect(sent).toHaveLength(1);
    expect(await stack.sql(`select from users where kind = 'guest'`)).toHaveLength(1);
    assertClean([/422/]);
  });

  it('shows members what they use, also without scripts', async () => {
    const session = await signUp('collector', PHONE);
    const visitor = new FormVisitor(stack.siteUrl).logIn({ session });
    expect((await visitor.open('/upload')).html).toContain('You can still store 1 GB and 3 files.');
    const client = stack.client(session);
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
      const { buffer } = await photo(name);
      await client.media.upload(new Blob([new Uint8Array(buffer)]), { name });
    }
    expect((await visitor.open('/upload')).html).toContain('Your account has no space left.');
    const { html } = await visitor.open('/settings');
    expect(html).toContain('You have 3 of 3 files.');
    expect(html).toMatch(/Your files use [\d.]+ [KM]B of 1 GB\./);
    const { buffer } = await photo('d.jpg');
    await expect(
      client.media.upload(new Blob([new Uint8Array(buffer)]), { name: 'd.jpg' }),
    ).rejects.toMatchObject({ code: 'insufficient_storage', status: 507 });
  });
});
