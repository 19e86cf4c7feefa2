import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Post, VitrineError } from '@vitrine/client';
import type { PublicServerConfig } from '@vitrine/runtime';
import express from 'express';
import type { WebsiteConfig } from '../config/website.config';
import type { Visit } from '../visits/visit';
import { PostArchives } from './post-archives';

describe('archives of posts', () => {
  /** A file host that begins to send a file and then stalls. */
  const files = createServer((_request, response) => {
    response.write('a');
    sending.push(response);
  });
  const sending: ServerResponse[] = [];
  let site: Server;

  beforeAll(async () => {
    await once(files.listen(0, '127.0.0.1'), 'listening');
    const cdn = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    const archives = new PostArchives(
      { cdn, internalFiles: '' } as WebsiteConfig,
      { trustedProxies: ['127.0.0.0/8'] } as unknown as PublicServerConfig,
    );
    const item = { slug: 'aB3dE5f', ext: 'png', size: 2, processing_error: null, created_at: '2026-11-01' };
    const post = { slug: 'aaaaaa1', title: null, media: [{ ...item, urls: { original: `${cdn}/f/a.png` } }] };
    const app = express().use((request, response) => {
      archives
        .send(post as unknown as Post, { request, response } as unknown as Visit)
        .catch((error: VitrineError) => response.status(500).end(error.code));
    });
    site = app.listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(() => {
    for (const server of [site, files]) server.closeAllConnections();
    for (const server of [site, files]) server.close();
  });

  const ask = async (address: string): Promise<IncomingMessage> => {
    const { port } = site.address() as AddressInfo;
    const request = get({ host: '127.0.0.1', port, headers: { 'X-Forwarded-For': address } });
    request.on('error', () => undefined);
    return ((await once(request, 'response')) as [IncomingMessage])[0].on('error', () => undefined);
  };
  const refusal = async (address: string): Promise<string> =>
    String(Buffer.concat(await (await ask(address)).toArray()));

  // Promise [website]: One address reads one archive at a time, and all addresses together sixteen; whoever leaves makes room.
  it('are sent to few readers at once, and stop when a reader leaves', async () => {
    const readers = [];
    const addresses = [...Array.from({ length: 15 }, (_, at) => `192.0.2.${at + 10}`), '2001:db8::1'];
    for (const address of addresses) readers.push(await ask(address));
    expect(await refusal('192.0.2.10')).toBe('rate_limited');
    expect(readers.map(({ statusCode, headers }) => [statusCode, headers['content-type']])).toEqual(
      Array(16).fill([200, 'application/zip']),
    );
    expect(await refusal('2001:db8::2')).toBe('rate_limited');
    expect(await refusal('192.0.2.5')).toBe('unavailable');
    const closed = once(sending[0]!, 'close');
    readers[0]!.destroy();
    await closed;
    expect((await ask('192.0.2.5')).statusCode).toBe(200);
  });
});
