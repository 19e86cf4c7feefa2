import { photograph } from '../upload/sample-files';

/** Uploads a small picture, and returns its slug. */
export async function uploadPicture(base: string, token: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(await photograph(20_000))]), 'a.jpg');
  const response = await fetch(`${base}/api/v1/media`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`The upload was answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { media: { slug: string } }).media.slug;
}
