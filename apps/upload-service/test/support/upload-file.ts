import type { MediaResource } from '@vitrine/contracts/api';
import type { Account, UploadHost } from './upload-host';
import { Uploads } from './uploads';

/** Uploads a file and fails unless it is accepted. */
export async function uploadFile(
  host: UploadHost,
  account: Account,
  file: Uint8Array,
): Promise<MediaResource> {
  const { status, body } = await new Uploads(host, account.token).file(file, { filename: 'a' });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.media;
}
