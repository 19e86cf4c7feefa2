import type { MediaResource } from '@vitrine/contracts/api';
import { assertDocumented } from './openapi';
import { MULTIPART_TYPE, multipart } from './raw-http';
import type { Account, UploadHost } from './upload-host';

/** Uploads a file and fails unless it is accepted. */
export async function uploadFile(
  host: UploadHost,
  account: Account,
  body: Uint8Array,
): Promise<MediaResource> {
  const response = await fetch(`${host.url}/api/v1/media`, {
    method: 'POST',
    body: new Uint8Array(multipart({ name: 'file', filename: 'a', body })),
    headers: { 'Content-Type': MULTIPART_TYPE, Authorization: `Bearer ${account.token}` },
  });
  const { status, headers } = response;
  const text = await response.text();
  assertDocumented('POST', '/api/v1/media', { status, headers, body: text });
  const answer = JSON.parse(text) as { media: MediaResource };
  if (status !== 201) throw new Error(`${status} ${text}`);
  return answer.media;
}
