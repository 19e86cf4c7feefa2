import { eventually, startWebhookReceiver, TestNameServer, type WebhookReceiver } from '@vitrine/testing';
import { OutgoingNetwork } from '../requests/outgoing-network';
import { WebhookSender } from './webhook-sender';
import type { SendResult } from './webhook.types';

/** The loopback network stands for the internet here: 127.0.0.1 is private, and its other addresses are public. */
class LoopbackNetwork extends OutgoingNetwork {
  override isPublic(address: string): boolean {
    return address !== '127.0.0.1';
  }
}

describe('WebhookSender', () => {
  const receivers: WebhookReceiver[] = [];
  const receive: typeof startWebhookReceiver = async (...options) => {
    const receiver = await startWebhookReceiver(...options);
    receivers.push(receiver);
    return receiver;
  };
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));

  const send = (
    url: string,
    { allowPrivate = true, timeoutSeconds = 1, network = new OutgoingNetwork() } = {},
  ): Promise<SendResult> =>
    new WebhookSender({ allowPrivate, timeoutSeconds }, network).send(
      url,
      { 'Content-Type': 'application/json' },
      '{"a":1}',
      new AbortController().signal,
    );

  it('sends the body and the headers, and keeps the status and the beginning of the answer', async () => {
    const receiver = await receive((_, response) => response.writeHead(202).end(`a\0b${'x'.repeat(5000)}`));
    const result = await send(`${receiver.url}?key=1`);
    expect(result).toEqual({
      status: 202,
      body: `a\uFFFDb${'x'.repeat(1021)}`,
      error: null,
      tookMs: expect.any(Number),
    } satisfies SendResult);
    expect(receiver.received).toEqual([
      {
        method: 'POST',
        path: '/hook?key=1',
        body: '{"a":1}',
        headers: expect.objectContaining({ 'content-type': 'application/json', 'content-length': '7' }),
      },
    ]);
  });

  it.each([400, 404, 410, 500, 503])('reports the status %d as a failure', async (status) => {
    const receiver = await receive((_, response) => response.writeHead(status).end('no'));
    expect(await send(receiver.url)).toMatchObject({
      status,
      body: 'no',
      error: `The receiver answered ${status}.`,
    });
  });

  // Promise [webhooks]: Webhooks follow no redirects.
  it.each([301, 302, 303, 307, 308])('does not follow a redirect with the status %d', async (status) => {
    const target = await receive();
    const receiver = await receive((_, response) =>
      response.writeHead(status, { location: target.url }).end(),
    );
    expect(await send(receiver.url)).toMatchObject({
      status,
      error: `The receiver answered ${status}; redirects are not followed.`,
    });
    expect(target.received).toEqual([]);
  });

  it('gives up on a receiver that does not answer in time, and closes the connection', async () => {
    const receiver = await receive(() => undefined);
    expect(await send(receiver.url)).toMatchObject({ status: null, error: 'No answer within 1 seconds.' });
    await eventually(() => expect(receiver.open()).toBe(0));
  });

  it('reads only the beginning of an endless answer', async () => {
    let written = 0;
    const receiver = await receive((_, response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(65_536, 'x');
      const write = (): void => {
        while (!response.destroyed && written < 2 ** 30) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
      };
      write();
    });
    const result = await send(receiver.url);
    expect(result).toMatchObject({ status: 200, error: null });
    expect(result.body).toHaveLength(1024);
    // The bytes in the buffers of both sockets have also been sent.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('takes the status of an answer whose body does not end', async () => {
    const receiver = await receive((_, response) => response.writeHead(200).write('begun'));
    expect(await send(receiver.url, { timeoutSeconds: 10 })).toMatchObject({
      status: 200,
      body: 'begun',
      error: null,
    });
  });

  it('reports an answer that switches protocols', async () => {
    const receiver = await receive((_, response) =>
      response.writeHead(101, { Connection: 'Upgrade', Upgrade: 'x' }).end(),
    );
    expect(await send(receiver.url)).toMatchObject({
      status: null,
      error: expect.stringContaining('failed'),
    });
  });

  it('reports a refused connection without our own addresses', async () => {
    const receiver = await receive();
    await receiver.stop();
    expect(await send(receiver.url)).toMatchObject({
      status: null,
      error: 'The request failed: ECONNREFUSED.',
    });
  });

  it.each([
    'http://127.0.0.1:8080/',
    'http://[::1]:8080/',
    'http://[::ffff:127.0.0.1]:8080/',
    'http://169.254.169.254/',
  ])('does not connect to %s', async (url) => {
    expect(await send(url, { allowPrivate: false })).toMatchObject({
      status: null,
      error: 'The address must not lead to a private network.',
    });
  });

  describe('with names', () => {
    let names: TestNameServer;
    afterEach(() => names.stop());
    const withNames = async (...answers: string[]): Promise<OutgoingNetwork> =>
      new OutgoingNetwork(await (names = new TestNameServer(answers)).start());

    it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'])(
      'does not connect to a name with the address %s',
      async (address) => {
        const network = await withNames(address);
        expect(await send('http://receiver.test/', { allowPrivate: false, network })).toMatchObject({
          status: null,
          error: 'The host has an address that is not public.',
        });
      },
    );

    it('reports a name without an address', async () => {
      const network = await withNames();
      expect(await send('http://receiver.test/', { allowPrivate: false, network })).toMatchObject({
        error: 'The host has no address.',
      });
    });

    // Promise [security]: Webhooks connect only to the public address that was checked.
    it('connects to the address that it has checked, also if the next answer of DNS is another one', async () => {
      const open = await receive(undefined, { host: '127.0.0.2', port: 8080 });
      const secret = await receive(undefined, { host: '127.0.0.1', port: 8080 });
      const { names: resolver } = await withNames('127.0.0.2', '127.0.0.1');
      const options = { allowPrivate: false, network: new LoopbackNetwork(resolver) };
      expect(await send('http://receiver.test:8080/', options)).toMatchObject({ status: 204 });
      expect(names.asked).toEqual(['127.0.0.2']);
      expect(await send('http://receiver.test:8080/', options)).toMatchObject({
        status: null,
        error: 'The host has an address that is not public.',
      });
      expect(open.received).toHaveLength(1);
      expect(secret.received).toEqual([]);
    });

    it('tries four addresses of a name and no more, because a name may have thousands', async () => {
      const fifth = await receive(undefined, { host: '127.0.0.6', port: 8080 });
      const { names: resolver } = await withNames('127.0.0.2,127.0.0.3,127.0.0.4,127.0.0.5,127.0.0.6');
      const network = new LoopbackNetwork(resolver);
      expect(await send('http://receiver.test:8080/', { allowPrivate: false, network })).toMatchObject({
        error: 'The request failed: ECONNREFUSED.',
      });
      expect(fifth.received).toEqual([]);
    });
  });
});
