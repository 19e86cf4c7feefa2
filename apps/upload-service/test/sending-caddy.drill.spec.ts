import {
  describeWithCaddy,
  type ServiceProcess,
  startNginx,
  startSendingCaddy,
  startService,
} from '@vitrine/testing';
import { png } from './support/samples';
import { CONDITIONS, expectSameAnswer } from './support/same-answer';
import { startUploadHostBehindCaddy } from './support/sending-hosts';
import { uploadFile } from './support/upload-file';
import type { UploadHost } from './support/upload-host';

describeWithCaddy('FILE_SENDING=x-accel behind Caddy', () => {
  let host: UploadHost;
  /** Sends the same files itself. */
  let own: ServiceProcess;
  let path: string;

  beforeAll(async () => {
    host = await startUploadHostBehindCaddy();
    path = `/f/${(await uploadFile(host, await host.createAccount(), png(9, 8))).slug}.png`;
    own = await startService('upload-service', {
      env: { DATABASE_URL: host.databaseUrl, STORAGE_URL: `file://${host.objects}` },
    });
  });
  afterAll(async () => {
    await own.stop('SIGKILL');
    await host.close();
  });

  it.each(CONDITIONS)('answers as the process itself does: %s', async (_, init) => {
    await expectSameAnswer(host.url + path, own.url + path, init);
  });

  it('lets no client reach the files without a decision, or choose a file by a header', async () => {
    const decision = await fetch(host.service.url + path);
    const internal = decision.headers.get('x-accel-redirect') ?? '';
    expect([decision.status, await decision.text(), internal.slice(0, 21)]).toEqual([
      ...[200, '', '/vitrine-files/whole/'],
    ]);
    for (const target of [internal, '/vitrine-files/', `/f/..%2f${internal.slice(1)}`])
      expect([target, (await fetch(host.url + target)).status]).toEqual([target, 404]);
    for (const target of ['/f/AAAAAAA.png', '/'])
      expect((await fetch(host.url + target, { headers: { 'X-Accel-Redirect': internal } })).status).toBe(
        404,
      );
  });

  it('answers 404, which no cache keeps, if Caddy does not find an object', async () => {
    const front = await startSendingCaddy(host.service.url, '/nonexistent');
    try {
      const answer = await fetch(front.url + path);
      const { headers } = answer;
      const shown = ['cache-control', 'content-type', 'etag', 'cache-tag'].map((name) => headers.get(name));
      expect([answer.status, await answer.json(), ...shown]).toEqual([
        ...[404, { message: 'Not found.' }, 'no-store', 'application/json', null, null],
      ]);
    } finally {
      await front.stop();
    }
  });

  it('follows no address that an answer for another path names', async () => {
    const other = await startNginx(`server { listen 127.0.0.1:PORT;
      location / { add_header X-Accel-Redirect /vitrine-files/whole${path}; return 200 "own body"; } }`);
    const front = await startSendingCaddy(other.url, host.objects);
    try {
      const answer = await fetch(`${front.url}/api/v1/media`);
      expect([answer.status, await answer.text()]).toEqual([200, 'own body']);
      expect(answer.headers.get('x-accel-redirect')).toBeNull();
    } finally {
      await front.stop();
      await other.stop();
    }
  });
});
