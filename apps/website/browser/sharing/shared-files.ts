import { MAX_POST_MEDIA } from '../upload/summary';

/** The path to which the phone's share sheet sends files (as in `src/links/paths.ts`). */
export const SHARE_PATH = '/share';

/** Files of the phone's share sheet. The visitor is asked, because pages of other sites can send files to this path too. */
const SHARED = 'shared-files';
/** Files that the visitor dropped or pasted on a page of this site, which no other site can do. */
const DROPPED = 'dropped-files';
const NAME = 'X-Name';

/** Keeps the share sheet's files until the upload page takes them. Rejects if the browser has no room for them. */
export const keepShared = (files: readonly File[]): Promise<void> =>
  keep(SHARED, files.slice(0, MAX_POST_MEDIA));

/** Keeps files that were dropped or pasted, and opens the upload page with them. */
export async function uploadDropped(files: readonly File[], page: string): Promise<void> {
  try {
    await keep(DROPPED, files);
    location.assign(page);
  } catch {
    // Without a secure origin, and in some private windows, browsers have no caches.
    location.assign('/upload?shared=failed');
  }
}

/** Keeps files instead of earlier ones. */
async function keep(name: string, files: readonly File[]): Promise<void> {
  await caches.delete(name);
  const cache = await caches.open(name);
  for (const [index, file] of files.entries()) {
    const headers = { 'Content-Type': file.type, [NAME]: encodeURIComponent(file.name) };
    await cache.put(`${SHARE_PATH}/${index}`, new Response(file, { headers }));
  }
}

/** The stored files, in the order in which they were kept. */
async function findKept(name: string): Promise<readonly File[]> {
  // Browsers have caches only on secure origins.
  if (!('caches' in globalThis) || !(await caches.has(name))) return [];
  const cache = await caches.open(name);
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    if (!kept) continue;
    const bytes = await kept.blob();
    files.push(new File([bytes], decodeURIComponent(kept.headers.get(NAME) ?? ''), { type: bytes.type }));
  }
  return files;
}

/** Hands the files that were dropped or pasted on the page before to `take`, once. */
export async function takeDropped(take: (files: readonly File[]) => void): Promise<void> {
  const files = await findKept(DROPPED);
  if (files.length === 0) return;
  await caches.delete(DROPPED);
  take(files);
}

/**
 * Offers the share sheet's files to the visitor, and hands them to `take` if the visitor wants them. It asks first,
 * because a page of another site can send files to this path too.
 */
export async function offerShared(offer: HTMLElement, take: (files: readonly File[]) => void): Promise<void> {
  const files = await findKept(SHARED);
  const [first] = files;
  const text = offer.querySelector('p');
  if (!first || !text) return;
  text.textContent = `Shared with this site: ${files.length === 1 ? first.name : `${files.length} files`}`;
  offer.hidden = false;
  offer.addEventListener('click', ({ target }) => {
    const choice = target instanceof HTMLButtonElement ? target.value : null;
    if (choice === null) return;
    offer.hidden = true;
    void caches.delete(SHARED);
    if (choice === 'take') take(files);
  });
}
