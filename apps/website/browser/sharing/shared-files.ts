import { MAX_POST_MEDIA } from '../upload/summary';

/** The path to which the phone's share sheet sends files (as in `src/links/paths.ts`). */
export const SHARE_PATH = '/share';

const CACHE = 'shared-files';
const NAME = 'X-Name';

/** Keeps files until the upload page takes them, instead of earlier ones. Rejects if the browser has no room for them. */
export async function keepShared(files: readonly File[]): Promise<void> {
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  for (const [index, file] of files.slice(0, MAX_POST_MEDIA).entries()) {
    const headers = { 'Content-Type': file.type, [NAME]: encodeURIComponent(file.name) };
    await cache.put(`${SHARE_PATH}/${index}`, new Response(file, { headers }));
  }
}

/** The stored files, in the order in which they were shared. */
async function findShared(): Promise<readonly File[]> {
  // Browsers have caches only on secure origins.
  if (!('caches' in globalThis)) return [];
  const cache = await caches.open(CACHE);
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    if (!kept) continue;
    const bytes = await kept.blob();
    files.push(new File([bytes], decodeURIComponent(kept.headers.get(NAME) ?? ''), { type: bytes.type }));
  }
  return files;
}

/**
 * Offers the files that are kept to the visitor, and hands them to `take` if the visitor wants them. It asks first,
 * because a page of another site can send files to this path too.
 */
export async function offerShared(offer: HTMLElement, take: (files: readonly File[]) => void): Promise<void> {
  const files = await findShared();
  const [first] = files;
  const text = offer.querySelector('p');
  if (!first || !text) return;
  text.textContent = `Shared with this site: ${files.length === 1 ? first.name : `${files.length} files`}`;
  offer.hidden = false;
  offer.addEventListener('click', ({ target }) => {
    const choice = target instanceof HTMLButtonElement ? target.value : null;
    if (choice === null) return;
    offer.hidden = true;
    void caches.delete(CACHE);
    if (choice === 'take') take(files);
  });
}
