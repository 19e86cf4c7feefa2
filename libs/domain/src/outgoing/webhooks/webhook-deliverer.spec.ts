import { randomBytes, randomUUID } from 'node:crypto';
import { type RequestListener } from 'node:http';
import {
  type DomainContext,
  eventually,
  startDomain,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@vitrine/testing';
import { Webhook as Verifier } from 'standardwebhooks';
import { MAX_ATTEMPTS } from './retry.rules';
import { WebhookDeliverer } from './webhook-deliverer';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';
import type { WebhookDelivery } from './webhook.types';
import { WebhooksModule } from './webhooks.module';
import { WebhooksService, type WebhookWithSecret } from './webhooks.service';
import { type Transaction, Database } from '@vitrine/database';

const hang: RequestListener = () => undefined;

describe('WebhookDeliverer', () => {
  let domain: DomainContext;
  let service: WebhooksService;
  let deliverer: WebhookDeliverer;
  const receivers: WebhookReceiver[] = [];

  beforeAll(async () => {
    domain = await startDomain([WebhooksModule], {
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      WEBHOOKS_TIMEOUT_SECONDS: '1',
    });
    service = domain.get(WebhooksService);
    deliverer = domain.get(WebhookDeliverer);
  });
  beforeEach(() => domain.dataSource.query('truncate users, outbox cascade'));
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
    await deliverer.settled();
  });
  afterAll(() => domain.stop());

  const receive = async (answer?: RequestListener): Promise<WebhookReceiver> => {
    const receiver = await startWebhookReceiver(answer);
    receivers.push(receiver);
    return receiver;
  };
  const createUser = async (): Promise<number> => {
    const name = `user_${randomBytes(5).toString('hex')}`;
    const [row] = await domain.dataSource.query('insert into users (username) values ($1) returning id', [
      name,
    ]);
    return row.id;
  };
  const inTransaction = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    domain.get(Database).transaction(work);
  const createWebhook = async (url: string, owner?: number): Promise<WebhookWithSecret> => {
    const editor = { userId: owner ?? (await createUser()), tokenId: null };
    return inTransaction((tx) => service.create(tx, editor, { url }));
  };
  /** Adds deliveries of new events, in one statement as one transaction of their cause would. */
  const add = async ({ webhook }: WebhookWithSecret, count = 1): Promise<void> => {
    await domain.dataSource.query(
      `select add_webhook_deliveries($1, gen_random_uuid(), 'media.deleted', now(), '{"slug": "aB3dE5f"}')
       from generate_series(1, $2)`,
      [webhook.userId, count],
    );
  };
  const deliveriesOf = async ({ webhook }: WebhookWithSecret): Promise<readonly WebhookDelivery[]> =>
    (await service.findDeliveries(webhook.userId, webhook.id, { page: 1, limit: 250 })).deliveries;
  const only = async (hook: WebhookWithSecret): Promise<WebhookDelivery> => {
    const deliveries = await deliveriesOf(hook);
    expect(deliveries).toHaveLength(1);
    return deliveries[0] as WebhookDelivery;
  };
  const makeDue = (): Promise<unknown> =>
    domain.dataSource.query(`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`);
  const deliverAll = async (): Promise<void> => {
    await deliverer.beginDue();
    await deliverer.settled();
  };
  /** Seconds until the next attempt. */
  const waitOf = ({ nextAttemptAt, lastAttemptAt }: WebhookDelivery): number =>
    (Number(nextAttemptAt) - Number(lastAttemptAt)) / 1000;

  it('sends an event once, signed so that the receiver can verify it', async () => {
    const receiver = await receive();
    const hook = await createWebhook(receiver.url);
    await add(hook);
    await deliverAll();
    await deliverAll();
    expect(receiver.received).toHaveLength(1);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[0]];
    const delivery = await only(hook);
    expect(new Verifier(hook.secret).verify(body, headers as Record<string, string>)).toEqual({
      type: 'media.deleted',
      timestamp: delivery.occurredAt.toISOString(),
      data: { slug: 'aB3dE5f' },
    });
    expect(headers['webhook-id']).toBe(delivery.eventId);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: 1,
      responseStatus: 204,
      nextAttemptAt: null,
    });
    expect(() => new Verifier(hook.secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
  });

  // Promise [webhooks]: For a day, deliveries are signed with the old and the new secret.
  it('signs with the old and the new secret after a change, and with only the new one a day later', async () => {
    const receiver = await receive();
    const hook = await createWebhook(receiver.url);
    const { secret } = await inTransaction((tx) =>
      service.rotateSecret(tx, hook.webhook.userId, hook.webhook.id),
    );
    const verified = (with_: string, index: number): boolean => {
      const { body, headers } = receiver.received[index] as (typeof receiver.received)[0];
      try {
        return Boolean(new Verifier(with_).verify(body, headers as Record<string, string>));
      } catch {
        return false;
      }
    };
    await add(hook);
    await deliverAll();
    expect([verified(hook.secret, 0), verified(secret, 0)]).toEqual([true, true]);
    await domain.dataSource.query('update webhooks set previous_secret_until = now()');
    await add(hook);
    await deliverAll();
    expect([verified(hook.secret, 1), verified(secret, 1)]).toEqual([false, true]);
  });

  // Promise [webhooks]: Failed deliveries are repeated after growing pauses.
  it('tries again with growing pauses and the same id, and gives up after the last attempt', async () => {
    const receiver = await receive((_, response) => response.writeHead(500).end('broken'));
    const hook = await createWebhook(receiver.url);
    await add(hook);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await makeDue();
      await deliverAll();
      const delivery = await only(hook);
      expect(delivery).toMatchObject({ attempts: attempt, responseStatus: 500, responseBody: 'broken' });
      if (delivery.status === 'pending') waits.push(waitOf(delivery));
    }
    expect(waits).toHaveLength(9);
    const expected = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    for (const [index, seconds] of expected.entries()) {
      // Each wait begins at the end of an attempt.
      expect(Math.abs((waits[index] ?? 0) / seconds - 1)).toBeLessThan(seconds === 5 ? 0.5 : 0.11);
    }
    expect(await only(hook)).toMatchObject({
      status: 'failed',
      error: 'The receiver answered 500.',
      nextAttemptAt: null,
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await service.find(hook.webhook.userId, hook.webhook.id)).toMatchObject({
      failingSince: expect.any(Date),
      disabledReason: null,
    });
  });

  it('delivers after a failure, and forgets the failure', async () => {
    let answers = 0;
    const receiver = await receive((_, response) => response.writeHead(answers++ === 0 ? 503 : 204).end());
    const hook = await createWebhook(receiver.url);
    await add(hook);
    await deliverAll();
    expect(await only(hook)).toMatchObject({ status: 'pending', attempts: 1 });
    await makeDue();
    await deliverAll();
    expect(await only(hook)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(await service.find(hook.webhook.userId, hook.webhook.id)).toMatchObject({ failingSince: null });
  });

  it('sends again what a process took and never recorded', async () => {
    const receiver = await receive();
    const hook = await createWebhook(receiver.url);
    await add(hook);
    const limits = {
      total: 9,
      failing: 9,
      perWebhook: 9,
      perAccount: 9,
      busyWebhooks: {},
      busyAccounts: {},
      perHost: 9,
      busyHosts: {},
    };
    const claim = (leaseSeconds: number) =>
      domain
        .get(Database)
        .transaction((tx) => domain.get(WebhookDeliveryRepository).claim(tx, { ...limits, leaseSeconds }));
    expect(await claim(1)).toHaveLength(1);
    expect(await claim(1)).toEqual([]);
    await eventually(async () => {
      await deliverAll();
      expect(receiver.received).toHaveLength(1);
    });
    expect(await only(hook)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('divides due deliveries among processes', async () => {
    const receiver = await receive();
    const hook = await createWebhook(receiver.url);
    await add(hook, 50);
    const limits = {
      total: 5,
      failing: 9,
      perWebhook: 50,
      perAccount: 50,
      busyWebhooks: {},
      busyAccounts: {},
      perHost: 64,
      busyHosts: {},
    };
    const claims = await Promise.all(
      Array.from({ length: 10 }, () =>
        domain
          .get(Database)
          .transaction((tx) =>
            domain.get(WebhookDeliveryRepository).claim(tx, { ...limits, leaseSeconds: 60 }),
          ),
      ),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(0);
  });

  // Promise [security]: Hanging receivers of one account don’t hold up another account.
  it('does not let hanging receivers of one account hold up another account', async () => {
    const hanging = await receive(hang);
    const owner = await createUser();
    const hooks = await Promise.all(Array.from({ length: 10 }, () => createWebhook(hanging.url, owner)));
    for (const hook of hooks.slice(0, 1)) await add(hook, 100);
    const receiver = await receive();
    const other = await createWebhook(receiver.url);
    await add(other, 20);
    await deliverer.beginDue();
    await eventually(() => expect(receiver.received).toHaveLength(20));
    expect(hanging.open()).toBeLessThanOrEqual(8);
    expect(hanging.open()).toBeGreaterThan(0);
  });

  it('gives webhooks that fail only one attempt at a time, and half of the slots together', async () => {
    const hanging = await Promise.all(Array.from({ length: 4 }, () => receive(hang)));
    const hooks = await Promise.all(
      Array.from({ length: 40 }, (_, index) => createWebhook(hanging[index % 4]!.url)),
    );
    await domain.dataSource.query('update webhooks set failing_since = now()');
    for (const hook of hooks) await add(hook, 3);
    await deliverer.beginDue();
    await eventually(() => expect(hanging.reduce((open, receiver) => open + receiver.open(), 0)).toBe(32));
    const receiver = await receive();
    const other = await createWebhook(receiver.url);
    await add(other, 8);
    await deliverer.beginDue();
    await eventually(() => expect(receiver.received).toHaveLength(8));
  });

  // Promise [security]: One host gets at most 16 deliveries at a time.
  it('sends to one host at most 16 at a time, of all accounts together, however its address is written', async () => {
    const hanging = await receive(hang);
    const { port } = new URL(hanging.url);
    const spellings = [
      'http://localhost:PORT/',
      'HTTP:\\\\LocalHost:PORT',
      'http://%6cocal%68ost:PORT/more?of=it',
      ' http:localhost:0PORT',
      'http://local\u00adhost:PORT#part',
      'http://localhost.:PORT/',
    ].map((spelling) => spelling.replace('PORT', port));
    const hooks = await Promise.all(
      Array.from({ length: 30 }, (_, index) => createWebhook(spellings[index % spellings.length]!)),
    );
    for (const hook of hooks) await add(hook, 2);
    await deliverer.beginDue();
    await eventually(() => expect(hanging.open()).toBe(16));
    const receiver = await receive();
    await add(await createWebhook(receiver.url), 8);
    await deliverer.beginDue();
    await eventually(() => expect(receiver.received).toHaveLength(8));
    expect(hanging.open()).toBeLessThanOrEqual(16);
  });

  // Promise [webhooks]: A webhook whose receiver answers 410 is disabled.
  it('disables a webhook whose receiver answers 410, and gives up its deliveries', async () => {
    const receiver = await receive((_, response) => response.writeHead(410).end());
    const hook = await createWebhook(receiver.url);
    await add(hook, 6);
    await deliverAll();
    const { userId, id } = hook.webhook;
    expect(await service.find(userId, id)).toMatchObject({
      disabledReason: 'gone',
      disabledAt: expect.any(Date),
    });
    expect((await deliveriesOf(hook)).map(({ status }) => status)).toEqual(Array(6).fill('failed'));
    await add(hook);
    expect(await deliveriesOf(hook)).toHaveLength(6);
  });

  // Promise [webhooks]: A webhook is disabled after five days of failures.
  it('disables a webhook after five days of failures, and delivers again when it is enabled', async () => {
    let status = 500;
    const receiver = await receive((_, response) => response.writeHead(status).end());
    const hook = await createWebhook(receiver.url);
    const { userId, id } = hook.webhook;
    const failedFor = async (days: number): Promise<void> => {
      await domain.dataSource.query(
        `update webhooks set failing_since = now() - make_interval(days => $1, mins => -1)`,
        [days],
      );
      await add(hook);
      await deliverAll();
    };
    await failedFor(5);
    expect(await service.find(userId, id)).toMatchObject({ disabledReason: null });
    await failedFor(6);
    expect(await service.find(userId, id)).toMatchObject({ disabledReason: 'failing' });
    await expect(service.sendTest(userId, id)).rejects.toMatchObject({ code: 'invalid_fields' });
    status = 200;
    const enabled = await inTransaction((tx) =>
      service.update(tx, { userId, tokenId: null }, id, { active: true }),
    );
    expect(enabled.webhook).toMatchObject({ disabledReason: null, disabledAt: null, failingSince: null });
    const [first] = await deliveriesOf(hook);
    await service.repeat(userId, id, first?.id ?? 0);
    await deliverAll();
    expect((await deliveriesOf(hook))[0]).toMatchObject({ id: first?.id, status: 'delivered', attempts: 1 });
  });

  // Promise [webhooks]: Webhooks of a suspended account receive nothing.
  it('sends nothing while the account is suspended, and then only what was pending before', async () => {
    const receiver = await receive();
    const hook = await createWebhook(receiver.url);
    const { userId } = hook.webhook;
    await add(hook);
    await domain.dataSource.query(
      `insert into account_restrictions (user_id, state, reason) values ($1, 'suspended', 'Spam.')`,
      [userId],
    );
    await add(hook);
    await deliverAll();
    expect(receiver.received).toEqual([]);
    expect(await only(hook)).toMatchObject({ status: 'pending', attempts: 0 });
    await domain.dataSource.query('delete from account_restrictions where user_id = $1', [userId]);
    await add(hook);
    await deliverAll();
    expect((await deliveriesOf(hook)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  });

  it('removes finished deliveries that are old or too many, and no pending ones', async () => {
    const hook = await createWebhook('http://127.0.0.1:9/');
    await add(hook, 1010);
    await domain.dataSource.query(
      `update webhook_deliveries set status = 'failed', next_attempt_at = null
       where id in (select id from webhook_deliveries order by id limit 1009)`,
    );
    expect(await deliverer.removeOld()).toBe(10);
    await domain.dataSource.query(`update webhook_deliveries set created_at = now() - interval '31 days'`);
    expect(await deliverer.removeOld()).toBe(999);
    expect(await deliveriesOf(hook)).toMatchObject([{ status: 'pending' }]);
  });

  it('adds a delivery once for each event, also if its cause is recorded twice', async () => {
    const hook = await createWebhook('http://127.0.0.1:9/');
    const eventId = randomUUID();
    for (let time = 0; time < 2; time++) {
      await domain.dataSource.query(`select add_webhook_deliveries($1, $2, 'media.deleted', now(), '{}')`, [
        hook.webhook.userId,
        eventId,
      ]);
    }
    expect(await only(hook)).toMatchObject({ eventId });
  });

  it('returns interrupted attempts to the queue when the process stops', async () => {
    const stopping = await startDomain([WebhooksModule], {
      WEBHOOKS_ALLOW_PRIVATE: 'true',
      WEBHOOKS_TIMEOUT_SECONDS: '60',
    });
    const hanging = await receive(hang);
    const [{ id: userId }] = await stopping.dataSource.query(
      `insert into users (username) values ('stopping') returning id`,
    );
    const { webhook } = await stopping
      .get(Database)
      .transaction((tx) =>
        stopping.get(WebhooksService).create(tx, { userId, tokenId: null }, { url: hanging.url }),
      );
    await stopping.get(WebhooksService).sendTest(userId, webhook.id);
    await stopping.get(WebhookDeliverer).beginDue();
    await eventually(() => expect(hanging.open()).toBe(1));
    await stopping.get(WebhookDeliverer).beforeApplicationShutdown();
    const [row] = await stopping.dataSource.query(
      'select status, attempts, next_attempt_at <= now() as due from webhook_deliveries',
    );
    expect(row).toEqual({ status: 'pending', attempts: 0, due: true });
    await stopping.stop();
  });
});
