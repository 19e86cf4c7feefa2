import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@vitrine/testing';
import { Client } from 'pg';
import { LockWatch } from './migrate-lock-watch';

describe('LockWatch', () => {
  it('queues no checks if each takes longer than the interval', async () => {
    let looks = 0;
    const server = createServer((socket) => {
      looks++;
      socket.on('error', () => undefined);
      void pause(200).then(() => socket.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `postgresql://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`;
    const watching = new LockWatch(url, () => undefined).start(new Client(), '9999-long');
    await eventually(() => expect(looks).toBeGreaterThanOrEqual(4));

    await watching.stop();

    expect(looks).toBeLessThanOrEqual(5);
    server.close();
    await once(server, 'close');
  });
});
