import {
  eventually,
  OpenApiCheck,
  startService,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@vitrine/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { type Answer, startGateway } from './gateway';
import { createPerson, type Person } from './people';
import { useGateway } from './use-gateway';

interface Webhook {
  readonly id: number;
  readonly active: boolean;
  readonly disabled_reason: string | null;
}
interface Delivery {
  readonly id: number;
  readonly event_id: string;
  readonly event: string;
  readonly status: string;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly payload: { readonly type: string; readonly data: object };
}

const SETTINGS = { WEBHOOKS_ALLOW_PRIVATE: 'true' };
/** So that the attempt of a killed process is soon repeated. */
const BRIEF = { ...SETTINGS, WEBHOOKS_TIMEOUT_SECONDS: '1' };

describe('webhooks over HTTP', () => {
  const used = useGateway(SETTINGS);
  let ada: Person;
  let receiver: WebhookReceiver;
  let hangs = false;

  beforeEach(async () => {
    hangs = false;
    ada = await createPerson(used.database);
    receiver = await startWebhookReceiver((_, response) => {
      if (!hangs) response.writeHead(204).end();
    });
  });
  afterEach(() => receiver.stop());

  const ask = <Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token = ada.session,
    headers = {},
  ): Promise<Answer<Body>> =>
    used.gateway.ask<Body>(method, `/webhooks${path}`, {
      token,
      headers,
      ...(body !== undefined && { body }),
    });
  const create = async (fields: object = {}): Promise<{ secret: string; webhook: Webhook }> => {
    const answer = await ask<{ secret: string; webhook: Webhook }>('POST', '', {
      url: receiver.url,
      ...fields,
    });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const deliveriesOf = async ({ id }: Webhook): Promise<Delivery[]> =>
    (await ask<{ data: Delivery[] }>('GET', `/${id}/deliveries`)).body.data;
  const storeMedia = async (): Promise<string> => {
    const slug = Math.random().toString(36).slice(2).padEnd(7, '0').slice(0, 7);
    await used.database.query(
      `insert into media (slug, user_id, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
       values ($1, $2, 'image', 'jpeg', 'image/jpeg', 'jpg', 640, 480, 12345, sha256('a'), sha256('b'))`,
      [slug, ada.id],
    );
    return slug;
  };
  const openApi = OpenApiCheck.shared();
  /** The payloads that have arrived, after a check against the document. */
  const payloads = (): { type: string; data: object }[] =>
    receiver.received.map(({ body }) => {
      const payload = JSON.parse(body) as { type: string; data: object };
      openApi.assertWebhook(payload);
      return payload;
    });

  // Promise [webhooks]: An account manages its webhooks, which others can’t see.
  it('are created, listed, read, changed and deleted by their owner', async () => {
    const { secret, webhook } = await create({
      description: 'Mirror',
      events: ['post.created', 'media.deleted'],
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      id: expect.any(Number),
      url: receiver.url,
      description: 'Mirror',
      events: ['post.created', 'media.deleted'],
      active: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await ask('GET', '')).body).toEqual({ data: [webhook] });
    expect((await ask('GET', `/${webhook.id}`)).body).toEqual({ data: webhook });
    expect((await ask('PATCH', `/${webhook.id}`, { active: false })).body['data']).toEqual({
      ...webhook,
      active: false,
      disabled_reason: 'paused',
      disabled_at: expect.stringMatching(/Z$/),
    });
    const changes = { active: true, url: `${receiver.url}?new`, events: ['post.deleted'], description: null };
    expect((await ask('PATCH', `/${webhook.id}`, changes)).body['data']).toEqual({ ...webhook, ...changes });
    expect((await ask('DELETE', `/${webhook.id}`)).status).toBe(200);
    expect((await ask('GET', `/${webhook.id}`)).status).toBe(404);
    expect(JSON.stringify((await ask('GET', '')).body)).not.toContain('whsec_');
  });

  // Promise [webhooks]: An account has at most ten webhooks, with public addresses only.
  it('refuse addresses that are no receivers, unknown events and an eleventh webhook', async () => {
    for (const url of ['ftp://example.org/', 'no address', 'https://user:secret@example.org/', undefined]) {
      expect(await ask('POST', '', { url })).toMatchObject({
        status: 422,
        body: { errors: { url: [expect.any(String)] } },
      });
    }
    expect((await ask('POST', '', { url: receiver.url, events: ['vote.changed'] })).status).toBe(422);
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => ask('POST', '', { url: receiver.url })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
  });

  it('are created once for each idempotency key', async () => {
    const make = () =>
      ask('POST', '', { url: receiver.url }, ada.session, { 'Idempotency-Key': `hook-${ada.id}` });
    const first = await make();
    expect((await make()).body).toEqual(first.body);
    expect((await ask<{ data: unknown[] }>('GET', '')).body.data).toHaveLength(1);
  });

  it('are 404 for another account', async () => {
    const { webhook } = await create();
    await ask('POST', `/${webhook.id}/test`);
    const [delivery] = await deliveriesOf(webhook);
    const { webhook: own } = await create();
    const eve = await createPerson(used.database);
    for (const [method, path] of [
      ['GET', `/${webhook.id}`],
      ['PATCH', `/${webhook.id}`],
      ['DELETE', `/${webhook.id}`],
      ['POST', `/${webhook.id}/rotate-secret`],
      ['POST', `/${webhook.id}/test`],
      ['GET', `/${webhook.id}/deliveries`],
      ['GET', `/${webhook.id}/deliveries/${delivery?.id}`],
      ['POST', `/${webhook.id}/deliveries/${delivery?.id}/repeat`],
    ] as const) {
      expect((await ask(method, path, method === 'PATCH' ? {} : undefined, eve.session)).status).toBe(404);
    }
    // A delivery of another webhook of the same account.
    expect((await ask('POST', `/${own.id}/deliveries/${delivery?.id}/repeat`)).status).toBe(404);
    expect((await ask('GET', '', undefined, eve.session)).body).toEqual({ data: [] });
  });

  // Promise [webhooks]: A webhook receives the events about its account’s items within a second, signed.
  it('receive the events about the own media and posts that they ask for, signed, within a second', async () => {
    const { secret, webhook } = await create({
      events: [
        'media.deleted',
        'post.created',
        'post.updated',
        'post.deleted',
        'comment.created',
        'comment.updated',
        'user.followed',
      ],
    });
    const begunAt = performance.now();
    const slug = await storeMedia();
    const eve = await createPerson(used.database);
    const api = (method: string, path: string, body?: object, token = ada.session) =>
      used.gateway.ask(method, path, { token, ...(body && { body }) });
    const { body } = await api('POST', '/posts', {
      media_slugs: [slug],
      media_ids: [slug],
      title: 'Harbour',
    });
    const post = (body['post'] as { slug: string }).slug;
    await api('PATCH', `/posts/${post}`, { title: 'Old harbour' });
    await api('POST', `/posts/${post}/comments`, { content: 'Mine.' });
    await used.database.query(
      `update posts set moderation_status = 'approved', listing = 'safe' where slug = $1`,
      [post],
    );
    const asked = await api('POST', `/posts/${post}/comments`, { content: 'Where is it?' }, eve.session);
    const { id: comment } = asked.body['comment'] as { id: number };
    await api('PATCH', `/comments/${comment}`, { content: 'Where was it?' }, eve.session);
    await api('POST', `/users/${ada.username}/follow`, {}, eve.session);
    await api('DELETE', `/posts/${post}`);
    await api('DELETE', `/media/${slug}`);
    const requestSeconds = (performance.now() - begunAt) / 1000;
    await eventually(() => expect(receiver.received).toHaveLength(7));
    expect(payloads().sort((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      { type: 'comment.created', data: { comment_id: comment, parent_id: null } },
      { type: 'comment.updated', data: { comment_id: comment, parent_id: null } },
      { type: 'media.deleted', data: { slug } },
      { type: 'post.created', data: { slug: post, visibility: 'public' } },
      { type: 'post.deleted', data: { slug: post } },
      { type: 'post.updated', data: { slug: post, changed: ['title'] } },
      { type: 'user.followed', data: { username: eve.username } },
    ]);
    const verifier = new Verifier(secret);
    for (const { body: text, headers } of receiver.received) {
      expect(verifier.verify(text, headers as Record<string, string>)).toEqual(JSON.parse(text));
    }
    await eventually(async () => {
      const deliveries = await deliveriesOf(webhook);
      expect(deliveries.map(({ status }) => status)).toEqual(Array(7).fill('delivered'));
    });
    const late = await used.database.query(
      `select max(extract(epoch from last_attempt_at - created_at))::float8 as seconds from webhook_deliveries
       where webhook_id = $1`,
      [webhook.id],
    );
    // Two pauses of about half a second, and the work between them. On a busy machine the work takes longer, like the requests.
    expect(late.rows[0].seconds).toBeLessThan(1.1 + requestSeconds);
  });

  it('receive decisions without internal facts', async () => {
    await create({ events: ['media.uploaded', 'media.moderated'] });
    const slug = await storeMedia();
    await used.database.query(
      `insert into outbox (envelope)
       select json_build_object('id', gen_random_uuid(), 'type', 'media.moderated', 'version', 1, 'occurred_at', now(),
         'data', json_build_object('media_id', id, 'slug', slug, 'decision_id', 1, 'from', 'pending', 'to', 'approved',
           'reason', 'manual', 'decided_by', 'secret_moderator'))
       from media where slug = $1`,
      [slug],
    );
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(payloads()).toEqual([
      {
        type: 'media.moderated',
        timestamp: expect.any(String),
        data: { slug, from: 'pending', to: 'approved' },
      },
    ]);
  });

  // Promise [webhooks]: A test can be sent, and a delivery repeated with the same id.
  it('send a test event, and repeat a delivery with the same id', async () => {
    const { webhook } = await create();
    const { status, headers, body } = await ask<{ delivery: Delivery }>('POST', `/${webhook.id}/test`);
    expect(status).toBe(201);
    expect(headers.get('location')).toMatch(
      new RegExp(`/webhooks/${webhook.id}/deliveries/${body.delivery.id}$`),
    );
    expect(body.delivery).toMatchObject({
      event: 'webhook.test',
      status: 'pending',
      payload: { type: 'webhook.test', data: { webhook_id: webhook.id } },
    });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await eventually(async () =>
      expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'delivered' }]),
    );
    expect((await ask('POST', `/${webhook.id}/deliveries/${body.delivery.id}/repeat`)).status).toBe(200);
    await eventually(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
      Array(2).fill(body.delivery.event_id),
    );
  });

  // Promise [webhooks]: An attempt is repeated if its process was killed.
  it('receive an attempt again after the process that made it has been killed', async () => {
    const doomed = await startGateway(BRIEF);
    const session = await doomed.register('ada');
    const askDoomed = (path: string, body: object) =>
      doomed.ask<{ webhook: Webhook }>('POST', `/webhooks${path}`, { token: session, body });
    const { body } = await askDoomed('', { url: receiver.url });
    hangs = true;
    await askDoomed(`/${body.webhook.id}/test`, {});
    await eventually(() => expect(receiver.open()).toBe(1));
    await doomed.service.stop('SIGKILL');
    hangs = false;
    const next = await startService('api-gateway', {
      env: { ...BRIEF, DATABASE_URL: doomed.database.url },
    });
    await eventually(() => expect(receiver.received).toHaveLength(2));
    const [first, second] = receiver.received.map(({ headers, body: sent }) => [headers['webhook-id'], sent]);
    expect(second).toEqual(first);
    await next.stop();
    await doomed.database.drop();
  });

  // Promise [webhooks]: Webhooks are deleted with their account.
  it('are deleted with their account', async () => {
    const session = await used.gateway.register(`gone_${ada.id}`);
    const { body } = await ask<{ webhook: Webhook }>('POST', '', { url: receiver.url }, session);
    await ask('POST', `/${body.webhook.id}/test`, undefined, session);
    const remove = await used.gateway.ask('DELETE', '/me', {
      token: session,
      body: { password: 'correct horse battery' },
    });
    expect(remove.status).toBe(200);
    const { rows } = await used.database.query(
      `select (select count(*)::int from webhooks where id = $1) as webhooks,
              (select count(*)::int from webhook_deliveries where webhook_id = $1) as deliveries`,
      [body.webhook.id],
    );
    expect(rows).toEqual([{ webhooks: 0, deliveries: 0 }]);
  });
});

describe('webhooks with the default settings', () => {
  const used = useGateway();

  it('refuse private addresses, and do not connect to a name of this machine', async () => {
    const ada = await createPerson(used.database);
    const receiver = await startWebhookReceiver();
    const create = (url: string) =>
      used.gateway.ask<{ webhook: Webhook }>('POST', '/webhooks', { token: ada.session, body: { url } });
    for (const url of [
      receiver.url,
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://0x7f000001/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[::ffff:10.0.0.1]/',
    ]) {
      expect((await create(url)).status).toBe(422);
    }
    const { body } = await create('http://localhost/');
    await used.gateway.ask('POST', `/webhooks/${body.webhook.id}/test`, { token: ada.session });
    await eventually(async () => {
      const { rows } = await used.database.query(
        'select error from webhook_deliveries where webhook_id = $1',
        [body.webhook.id],
      );
      expect(rows).toEqual([
        { error: expect.stringMatching(/^The host has (no address|an address that is not public)\.$/) },
      ]);
    });
    expect(receiver.received).toEqual([]);
    await receiver.stop();
  });
});
