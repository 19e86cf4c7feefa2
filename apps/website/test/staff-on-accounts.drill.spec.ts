import { borrowStack, describeWithChromium, type Person, type Stack } from '@vitrine/testing';
import { audit } from './support/audit';
import { PHONE, useBrowser, type Visitor, type VisitorOptions } from './support/visitor';

const PASSWORD = 'correct horse battery';

type Someone = Pick<Person, 'session' | 'client'>;

describeWithChromium('the pages on which staff decide on accounts', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  let moderator: Someone;
  let owner: Someone;

  beforeAll(async () => {
    stack = await start(
      borrowStack({
        without: ['media-processor', 'moderation-service'],
        env: { REGISTRATION: 'approval', INVITES_BY: 'members', GUEST_UPLOADS: 'false' },
      }),
    );
    await stack.sql(
      `with host as (insert into users (username, role) values ('host', 'admin') returning id)
       insert into invites (created_by, code_sha256, uses, expires_at)
       select id, sha256('welcome'), 100, now() + interval '1 day' from host`,
    );
    [moderator, owner] = [await createPerson('mona', 'moderator'), await createPerson('owen')];
  });

  async function createPerson(username: string, role?: 'moderator'): Promise<Someone> {
    const { session } = await stack
      .client()
      .auth.register({ username, password: PASSWORD, invite: 'welcome' });
    if (role) await stack.sql('update users set role = $1 where username = $2', [role, username]);
    return { session, client: stack.client(session) };
  }

  const visit = (as: Someone, options: VisitorOptions = { javaScript: false }): Promise<Visitor> =>
    arrive({ as, ...options });

  it('limits and suspends a reported account without scripts, and tells the person', async () => {
    const spammer = await createPerson('sam');
    await owner.client.reports.create({ type: 'user', target: 'sam', reason: 'spam' });
    const { page } = await visit(moderator);
    await page.goto('/moderation');
    await page.locator('#user-sam').getByRole('link', { name: 'Limit…' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The reason field is required.').first().waitFor();
    await page.getByLabel('Reason').fill('Advertising.');
    await page.getByLabel('Until').fill('2999-12-03');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('sam is limited.').waitFor();
    await page.getByText('until 2999-12-03').waitFor();
    expect((await moderator.client.moderation.queue.list()).data).toEqual([]);

    const theirs = await visit(spammer);
    await theirs.page.goto('/settings');
    await theirs.page.getByText('Your account is limited until 2999-12-03.').waitFor();
    await theirs.page.getByText('Reason: Advertising.').waitFor();
    const [staffPage, theirPage] = [
      (await visit(moderator, { width: PHONE, dark: true })).page,
      (await visit(spammer, { width: PHONE })).page,
    ];
    await staffPage.goto('/moderation/user/sam');
    await audit(staffPage, 'moderation-account');
    await theirPage.goto('/settings');
    await audit(theirPage, 'limited-account');

    await page.getByLabel('Suspended').check();
    await page.getByLabel('Reason').fill('More advertising.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('sam is suspended.').waitFor();
    expect((await page.goto('/u/sam'))?.status()).toBe(404);
  });

  // Promise [website]: Moderators accept applications, and limit and suspend accounts, without scripts.
  it('take applications, which moderators accept or decline, without scripts', async () => {
    const applicant = await arrive({ javaScript: false });
    const apply = async (username: string): Promise<void> => {
      await applicant.page.goto('/register');
      await applicant.page.getByLabel('Username').fill(username);
      await applicant.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await applicant.page.getByLabel('Why would you like to join?').fill('I take pictures of moss.');
      await applicant.page.getByRole('button', { name: 'Apply' }).click();
      await applicant.page.getByText('The moderators will decide on your account').waitFor();
    };
    const logIn = async (username: string): Promise<void> => {
      await applicant.page.goto('/login');
      await applicant.page.getByLabel('Username').fill(username);
      await applicant.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await applicant.page.getByRole('button', { name: 'Log in' }).click();
    };
    await apply('anna');
    await apply('spambot');
    await logIn('anna');
    await applicant.page.getByText('still waiting for a decision').first().waitFor();

    const { page } = await visit(moderator);
    await page.goto('/moderation/applications');
    await page.getByRole('button', { name: 'Decline spambot' }).click();
    await page.getByText('The application of spambot was declined.').waitFor();
    const { page: withScripts } = await visit(moderator, { width: PHONE });
    await withScripts.goto('/moderation/applications');
    await audit(withScripts, 'moderation-applications');
    await page.getByRole('button', { name: 'Accept anna' }).click();
    await page.getByText('No applications are waiting for a decision.').waitFor();
    await logIn('anna');
    await applicant.page.getByText('Welcome back, anna.').waitFor();
  });

  it('let members invite people by a link that is shown once, without scripts', async () => {
    const { page } = await visit(owner);
    await page.goto('/settings');
    await page.getByRole('link', { name: 'Invites' }).click();
    await page.getByLabel('Note (optional)').fill('For Ida');
    await page.getByRole('button', { name: 'Create invite' }).click();
    const link = await page.getByLabel('Link').inputValue();
    const invited = await arrive({ javaScript: false });
    await invited.page.goto(link);
    await invited.page.getByText('You were invited.').waitFor();
    await invited.page.getByLabel('Username').fill('ida');
    await invited.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await invited.page.getByRole('button', { name: 'Sign up' }).click();
    await invited.page.getByText('Welcome, ida!').waitFor();
    await page.goto('/settings/invites');
    await page.getByText('Used up').waitFor();
    expect(await page.content()).not.toContain(link);

    const { page: withScripts } = await visit(owner, { width: PHONE, dark: true });
    await withScripts.goto('/settings/invites');
    await audit(withScripts, 'invites');
  });

  it('send visitors without an account from the upload page to the login without GUEST_UPLOADS', async () => {
    const answer = await fetch(`${stack.siteUrl}/upload`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/login?next=%2Fupload']);
    await expect(stack.client().uploadTickets.create()).rejects.toMatchObject({ status: 401 });
  });
});
