import { eventually } from '@vitrine/testing';
import { MULTIPART_TYPE, multipart, RawConnection } from './support/raw-http';
import { png } from './support/samples';
import { useUploadHost, type Account } from './support/upload-host';

/** Time for a start and for a drain with its grace period. */
describe('a stopping upload-service', () => {
  const host = useUploadHost({ STOP_GRACE_SECONDS: '5', STOP_TIMEOUT_SECONDS: '30' });
  let account: Account;

  beforeAll(async () => {
    account = await host.createAccount();
  });

  it('is unready immediately, serves until its grace period ends, and exits after the last upload', async () => {
    const body = multipart({ name: 'file', filename: 'a.png', type: 'image/png', body: png(4, 4) });
    const headers = { Authorization: `Bearer ${account.token}`, 'Content-Type': MULTIPART_TYPE };
    const whole = { ...headers, 'Content-Length': String(body.length) };
    const slow = await RawConnection.open(host.url);
    slow.sendHead('POST', '/api/v1/media', whole);
    slow.send(body.subarray(0, body.length - 10));
    const idle = await RawConnection.open(host.url);
    idle.sendHead('GET', '/f/none.png', {});
    expect((await idle.answer()).headers['connection']).toBe('keep-alive');
    const unused = await RawConnection.open(host.url);
    const kept = await RawConnection.open(host.url);

    const ended = host.service.stop('SIGTERM');

    await eventually(async () =>
      expect((await fetch(`${host.service.managementUrl}/health/ready`)).status).toBe(503),
    );
    kept.sendHead('GET', '/f/none.png', {});
    expect(await kept.answer()).toMatchObject({ status: 404, headers: { connection: 'close' } });
    const late = await RawConnection.open(host.url);
    late.sendHead('POST', '/api/v1/media', whole);
    late.send(body);
    expect(await late.answer()).toMatchObject({ status: 201 });

    await eventually(() => expect(idle.closed).toBe(true));
    // The port closes at the same moment and not before.
    await eventually(() => expect(RawConnection.open(host.url)).rejects.toThrow('ECONNREFUSED'));
    slow.send(body.subarray(body.length - 10));
    expect(await slow.answer()).toMatchObject({ status: 201, headers: { connection: 'close' } });

    expect(await ended).toBe(0);
    expect(unused.closed).toBe(true);
    expect(await host.countMedia()).toBe(2);
  });
});
