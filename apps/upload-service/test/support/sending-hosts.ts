import { startSendingNginx, type TestS3 } from '@vitrine/testing';
import { startUploadHost, type UploadHost } from './upload-host';

/**
 * Starts an upload host behind a real nginx with the configuration that operators use, which sends the files. They are in
 * the bucket, or else in a folder.
 */
export async function startUploadHostBehindNginx(bucket?: TestS3): Promise<UploadHost> {
  const settings = { FILE_SENDING: 'x-accel', TRUSTED_PROXIES: '127.0.0.1', ...bucket?.settings() };
  const host = await startUploadHost(settings);
  const objects = bucket?.endpoint ?? host.objects;
  const proxy = await startSendingNginx({ upload: host.url, objects }).catch(async (error: unknown) => {
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
