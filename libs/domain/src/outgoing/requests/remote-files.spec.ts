import { startWebhookReceiver, TestNameServer, type WebhookReceiver } from '@vitrine/testing';
import { OutgoingNetwork } from './outgoing-network';
import { RemoteFiles } from './remote-files';
import { UrlUploadsConfig } from './url-uploads.config';

/** The loopback network stands for the internet here: 127.0.0.1 is private, and its other addresses are public. */
class LoopbackNetwork extends OutgoingNetwork {
  override isPublic(address: string): boolean {
    return address !== '127.0.0.1' && address.startsWith('127.');
  }
}

describe('RemoteFiles', () => {
  const ends: (() => unknown)[] = [];
  afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

  const serve: typeof startWebhookReceiver = async (...options): Promise<WebhookReceiver> => {
    const receiver = await startWebhookReceiver(...options);
    ends.push(receiver.stop);
    return receiver;
  };
  const config = Object.assign(new UrlUploadsConfig(), { mode: 'on' });
  /** `answers`: the addresses of the names that are asked for, one after the other. */
  const open = async (address: string, ...answers: readonly string[]) => {
    const names = new TestNameServer(answers);
    ends.push(() => names.stop());
    const network = new LoopbackNetwork(await names.start());
    return new RemoteFiles(config, network).open(address, AbortSignal.timeout(5_000));
  };
  const PUBLIC = { host: '127.0.0.2', port: 8443 };

  it('follows up to three redirects to public addresses', async () => {
    await serve((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 0) return response.end('picture');
      return response.writeHead(302, { Location: `/${step - 1}` }).end();
    }, PUBLIC);
    let text = '';
    for await (const chunk of await open('http://files.test:8443/3', '127.0.0.2')) text += String(chunk);
    expect(text).toBe('picture');
    await expect(open('http://files.test:8443/4', '127.0.0.2')).rejects.toThrow('redirects too often');
  });

  // Promise [files]: A file is never fetched from a private address, also not after a redirect.
  it.each([
    'http://127.0.0.1:8443/',
    '//127.0.0.1:8443/',
    'http://inner.test:8443/',
    'http://[::1]:8443/',
    'http://2130706433:8443/',
    'file:///etc/passwd',
    'http://files.test:22/',
    'http://user@files.test:8443/',
    'http://',
  ])('refuses a redirect to %s', async (location) => {
    const secret = await serve(undefined, { host: '127.0.0.1', port: 8443 });
    const redirecting = await serve(
      (_, response) => response.writeHead(302, { Location: location }).end(),
      PUBLIC,
    );
    await expect(open('http://files.test:8443/', '127.0.0.2', '127.0.0.1')).rejects.toThrow(
      /must|not public/,
    );
    expect(redirecting.received).toHaveLength(1);
    expect(secret.received).toEqual([]);
  });

  it('refuses a name that has a private address beside a public one', async () => {
    await expect(open('http://files.test:8443/', '127.0.0.2,127.0.0.1')).rejects.toThrow('not public');
  });

  it.each(['10.0.0.1', '169.254.169.254', '192.168.0.1', '[fd00:ec2::254]', '[::ffff:10.0.0.1]', '0x7f.1'])(
    'refuses the address %s',
    async (host) => {
      await expect(open(`http://${host}/`)).rejects.toThrow('private network');
    },
  );

  it('refuses other statuses and unreachable servers with a sentence', async () => {
    let status = 404;
    await serve(
      (_, response) => response.writeHead(status, { Connection: 'Upgrade', Upgrade: 'x' }).end(),
      PUBLIC,
    );
    await expect(open('http://files.test:8443/', '127.0.0.2')).rejects.toThrow('The server answered 404.');
    status = 101;
    await expect(open('http://files.test:8443/', '127.0.0.2')).rejects.toThrow('can’t be reached');
    await expect(open('http://files.test:8443/', '127.0.0.3')).rejects.toThrow('can’t be reached');
  });
});
