import { Secret, TOTP } from 'otpauth';
import { createPerson } from './people';
import { useGateway } from './use-gateway';

const REFUSED = 'This site requires a second factor. Turn one on in the security settings of your account.';

describe('a second factor for all', () => {
  const used = useGateway({ SECOND_FACTOR: 'required' });
  const ask = (method: string, path: string, token: string, body?: object) =>
    used.gateway.ask(method, path, { token, ...(body && { body }) });

  // Promise [accounts]: `SECOND_FACTOR=required` demands a second factor of everyone.
  it('is required before anything else, also of API tokens and tickets', async () => {
    const person = await createPerson(used.database);
    const { session } = person;
    for (const [method, path, token, body] of [
      ['GET', '/me/notifications', session],
      ['POST', '/tokens', session, { name: 'camera' }],
      ['POST', '/upload-tickets', session],
      ['PATCH', '/me', session, { bio: 'x' }],
      ['DELETE', '/me', session, {}],
      ['GET', '/me/notifications', await person.mintToken()],
      ['GET', '/tags', await person.mintTicket()],
    ] as const) {
      const answer = await ask(method, path, token, body);
      // Public pages are shown as to strangers.
      const expected = path === '/tags' ? [path, 200, undefined] : [path, 403, REFUSED];
      expect([path, answer.status, answer.body['message']]).toEqual(expected);
    }
    expect((await ask('GET', '/me', session)).body).toMatchObject({ second_factor_missing: true });
    expect((await ask('GET', '/me/security', session)).body).toMatchObject({ data: { required: true } });

    const { body } = await ask('POST', '/me/authenticator-app', session, {});
    const code = new TOTP({ secret: Secret.fromBase32(String(body['secret'])) }).generate();
    const added = await ask('POST', '/me/authenticator-app/confirmation', session, { code });
    const [recovery] = added.body['recovery_codes'] as string[];
    expect((await ask('GET', '/me/notifications', session)).status).toBe(200);
    expect((await ask('GET', '/me', session)).body).toMatchObject({ second_factor_missing: false });
    // The last one can't be removed.
    expect((await ask('DELETE', '/me/authenticator-app', session, { code: recovery })).body).toMatchObject({
      errors: { second_factor: [expect.any(String)] },
    });
  });

  it('still lets people see and end their sessions, and log out', async () => {
    const { session } = await createPerson(used.database);
    expect((await ask('GET', '/sessions', session)).status).toBe(200);
    expect((await ask('DELETE', '/sessions', session, {})).status).toBe(200);
    expect((await ask('POST', '/auth/logout', session)).status).toBe(200);
  });

  it('is not required of guests', async () => {
    const { session } = await createPerson(used.database, { guest: true });
    expect((await ask('POST', '/upload-tickets', session)).status).toBe(201);
  });
});
