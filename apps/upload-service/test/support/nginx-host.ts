import { readSendingConfiguration, startNginx } from '@vitrine/testing';
import { startUploadHost, type UploadHost } from './upload-host';

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
  const configuration = await readSendingConfiguration({
    upload: upstream ?? host.url,
    objects: host.objects,
  });
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
