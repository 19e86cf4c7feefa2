import { PASSWORD } from './gateway';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useSharedGateway } from './use-gateway';

describe('quotas over HTTP', () => {
  const api = useSharedGateway();
  let ada: Person;
  let admin: Person;

  beforeEach(async () => {
    ada = await createPerson(api.database);
    admin = await createPerson(api.database, { role: 'admin' });
  });

  const change = (username: string, body: object, token?: string) =>
    api.gateway.ask('PUT', `/admin/users/${username}/quota`, {
      body: { ...body, current_password: PASSWORD },
      ...(token && { token }),
    });

  // Promise [administration]: An account sees what it stores and may store.
  it('shows an account what it stores and may store', async () => {
    await storeMedia(api.database, ada);
    const { rows } = await api.database.query<{ bytes: string }>(
      'select bytes from media where user_id = $1',
      [ada.id],
    );
    const me = await api.gateway.ask('GET', '/me', { token: ada.session });
    expect(me.body).toMatchObject({
      data: { storage: { bytes: Number(rows[0]?.bytes), bytes_limit: null, files: 1, files_limit: null } },
    });
    const ticket = await api.gateway.ask('POST', '/upload-tickets', { token: ada.session });
    expect(ticket.body).toMatchObject({ storage: { files: 1, files_limit: null } });
  });

  // Promise [administration]: Admins change quotas.
  it('lets admins change the quota of an account', async () => {
    expect(await change(ada.username, { bytes: 5_000_000_000, files: 10 }, admin.session)).toMatchObject({
      status: 200,
      body: {
        message: 'Quota changed.',
        quota: {
          username: ada.username,
          bytes: 5_000_000_000,
          files: 10,
          storage: { bytes: 0, bytes_limit: 5_000_000_000, files: 0, files_limit: 10 },
        },
      },
    });
    expect((await change(ada.username, { bytes: null }, admin.session)).body).toMatchObject({
      quota: { bytes: null, files: 10, storage: { bytes_limit: null, files_limit: 10 } },
    });
    const me = await api.gateway.ask('GET', '/me', { token: ada.session });
    expect(me.body).toMatchObject({ data: { storage: { bytes_limit: null, files_limit: 10 } } });
  });

  it('refuses everyone else, unknown accounts and impossible quotas', async () => {
    const moderator = await createPerson(api.database, { role: 'moderator' });
    const readOnly = await admin.mintToken({ scopes: ['read', 'moderate'] });
    const withoutModerate = await admin.mintToken({ scopes: ['read', 'write'] });
    for (const token of [ada.session, moderator.session, readOnly, withoutModerate]) {
      expect((await change(ada.username, { files: 1 }, token)).status).toBe(403);
    }
    expect((await change(ada.username, { files: 1 })).status).toBe(401);
    expect((await change('nobody_here', { files: 1 }, admin.session)).status).toBe(404);
    for (const body of [{ bytes: -1 }, { bytes: 'much' }, { files: 1.5 }]) {
      const refused = await change(ada.username, body, admin.session);
      expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([
        422,
        Object.keys(body),
      ]);
    }
  });
});
