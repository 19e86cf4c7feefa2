import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { startNginx } from '@vitrine/testing';
import { startUploadHost, type UploadHost } from './upload-host';

const CONFIGURATION = resolve(__dirname, '../../../../docker/nginx/files.conf');

/**
 * Starts an upload host behind a real nginx with the configuration that operators use, which sends the files.
 * `upstream` is asked instead of the upload host.
 */
export async function startUploadHostBehindNginx(
  env: Readonly<Record<string, string>> = {},
  upstream?: string,
): Promise<UploadHost> {
  const host = await startUploadHost({
    FILE_SENDING: 'x-accel',
    TRUSTED_PROXIES: '127.0.0.1',
    ...env,
  });
  const configuration = (await readFile(CONFIGURATION, 'utf8'))
    .replace('listen 8080', 'listen 127.0.0.1:PORT')
    .replace('server 127.0.0.1:3001', `server ${new URL(upstream ?? host.url).host}`)
    .replaceAll('/var/lib/vitrine/objects/', `${host.objects}/`);
  const nginx = await startNginx(configuration);
  return {
    ...host,
    url: nginx.url,
    close: async () => {
      await nginx.stop();
      await host.close();
    },
  };
}
