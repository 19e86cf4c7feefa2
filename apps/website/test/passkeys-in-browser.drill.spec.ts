import { borrowStack, describeWithChromium, type Stack } from '@vitrine/testing';
import type { CDPSession, Page } from 'playwright-core';
import { useBrowser, type Visitor } from './support/visitor';

const PATH = '/settings/security';

describeWithChromium('passkeys in a browser', () => {
  const { start, arrive } = useBrowser();
  let stack: Stack;
  beforeAll(async () => {
    stack = await start(borrowStack());
  });

  /** A platform authenticator that always finds its user present and verified, unless told otherwise. */
  const addAuthenticator = async (visitor: Visitor, isUserVerified = true) => {
    const cdp = await visitor.context.newCDPSession(visitor.page);
    await cdp.send('WebAuthn.enable');
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    });
    return { cdp, authenticatorId };
  };
  const credentialsOf = async (cdp: CDPSession, authenticatorId: string) =>
    (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  const addPasskey = async (page: Page, name: string, password: string): Promise<void> => {
    await page.goto(PATH);
    await page.getByText('New passkey').click();
    const form = page.locator('form[data-passkey="make"]');
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Your password', { exact: true }).fill(password);
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  };
  const begin = async (username: string) => {
    const person = await stack.createPerson(username);
    const visitor = await arrive();
    const authenticator = await addAuthenticator(visitor);
    await visitor.logIn(person);
    return { person, visitor, page: visitor.page, ...authenticator };
  };

  // Promise [accounts]: A passkey logs in without a password.
  it('are added, log in without a password, and complete a login with the password', async () => {
    const { person, visitor, page } = await begin('keyholder');
    await addPasskey(page, 'Laptop', person.password);
    expect(await person.client.security.get()).toMatchObject({ passkeys: [{ name: 'Laptop' }] });

    await visitor.context.clearCookies();
    await page.goto('/login?next=/tags');
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/tags');
    expect((await person.client.security.logins())[0]).toMatchObject({
      method: 'passkey',
      second_factor: null,
    });

    await visitor.context.clearCookies();
    await page.goto('/login?next=/tags');
    await page.getByLabel('Username').fill('keyholder');
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(({ pathname }) => pathname === '/tags');
    expect((await person.client.security.logins())[0]).toMatchObject({
      method: 'password',
      second_factor: 'passkey',
    });
    visitor.assertClean();
  });

  // Promise [accounts]: A copied passkey is refused, and its owner is told.
  it('are refused once a copy with an older counter is used, and the owner is told', async () => {
    const { person, visitor, page, cdp, authenticatorId } = await begin('copied');
    await addPasskey(page, 'Phone', person.password);
    const [original] = await credentialsOf(cdp, authenticatorId);
    const logInByPasskey = async (): Promise<void> => {
      await visitor.context.clearCookies();
      await page.goto('/login?next=/tags');
      await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    };
    await logInByPasskey();
    await page.waitForURL(({ pathname }) => pathname === '/tags');
    // The copy was made before that login.
    await cdp.send('WebAuthn.removeCredential', { authenticatorId, credentialId: original!.credentialId });
    await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: original! });
    await logInByPasskey();
    await page.getByText('This passkey could not be verified.').waitFor();
    expect(await person.client.security.get()).toMatchObject({
      passkeys: [{ cloned_at: expect.any(String) }],
    });
    const { data } = await person.client.me.notifications.list();
    expect(JSON.stringify(data)).toContain('A copy of your passkey “Phone” was used.');
    visitor.assertClean([/422/]);
  });

  it('are not made if the authenticator does not verify its user, and the page says so', async () => {
    const { person, page, cdp, authenticatorId } = await begin('unverified');
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.goto(PATH);
    await page.getByText('New passkey').click();
    const form = page.locator('form[data-passkey="make"]');
    await form.getByLabel('Name').fill('Phone');
    await form.getByLabel('Your password', { exact: true }).fill(person.password);
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByRole('alert').textContent()).toBe(
      'The browser gave no passkey. You can try again.',
    );
    expect(await person.client.security.get()).toMatchObject({ passkeys: [] });
  });

  it('are not accepted from pages of another origin', async () => {
    const { person, page, cdp, authenticatorId } = await begin('phished');
    await addPasskey(page, 'Phone', person.password);
    // Another port is another origin with the same domain, so the browser itself would let its pages use the passkey.
    const { options } = await stack.client().auth.passkeyOptions();
    const other = new URL(stack.apiUrl).origin;
    await page.goto(`${other}/api/v1/site`);
    const sent = await page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json as never);
      const credential = await navigator.credentials.get({ publicKey });
      return (credential as PublicKeyCredential).toJSON() as {
        id: string;
        response: { clientDataJSON: string; authenticatorData: string; signature: string };
      };
    }, options);
    await expect(
      stack.client().auth.loginWithPasskey({
        passkey_id: sent.id,
        passkey_client_data: sent.response.clientDataJSON,
        passkey_authenticator_data: sent.response.authenticatorData,
        passkey_signature: sent.response.signature,
      }),
    ).rejects.toMatchObject({ status: 422 });
    expect(await credentialsOf(cdp, authenticatorId)).toHaveLength(1);
  });
});
