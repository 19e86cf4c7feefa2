import { startSendingCaddy, startSendingNginx, type TestS3 } from '@vitrine/testing';
import { startUploadHost, type UploadHost } from './upload-host';

/**
 * Starts an upload host behind a real nginx with the configuration that operators use, which sends the files. They are in
 * the bucket, or else in a folder.
 */
export async function startUploadHostBehindNginx(bucket?: TestS3): Promise<UploadHost> {
  const host = await startDecidingHost(bucket?.settings());
  return behind(host, () =>
    startSendingNginx({ upload: host.url, objects: bucket?.endpoint ?? host.objects }),
  );
}

/** The same behind Caddy, with a folder. */
export async function startUploadHostBehindCaddy(): Promise<UploadHost> {
  const host = await startDecidingHost();
  return behind(host, () => startSendingCaddy(host.url, host.objects));
}

const startDecidingHost = (settings: Readonly<Record<string, string>> = {}): Promise<UploadHost> =>
  startUploadHost({ FILE_SENDING: 'x-accel', TRUSTED_PROXIES: '127.0.0.1', ...settings });

async function behind(
  host: UploadHost,
  start: () => Promise<{ readonly url: string; stop(): Promise<void> }>,
): Promise<UploadHost> {
  const proxy = await start().catch(async (error: unknown) => {
    await host.close();
    throw error;
  });
  return {
    ...host,
    url: proxy.url,
    close: async () => {
      await proxy.stop();
      await host.close();
    },
  };
}
