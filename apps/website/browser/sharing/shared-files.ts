/** The path to which the phone's share sheet sends files (the manifest's `share_target`). */
export const SHARE_PATH = '/share';

const CACHE = 'shared-files';
const NAME = 'X-Name';
const MODIFIED = 'X-Modified';

/** Keeps files until the upload page takes them. Rejects if the browser has no room for them. */
export async function keepShared(files: readonly File[]): Promise<void> {
  const cache = await caches.open(CACHE);
  const now = Date.now();
  for (const [index, file] of files.entries()) {
    const headers = {
      'Content-Type': file.type,
      [NAME]: encodeURIComponent(file.name),
      [MODIFIED]: String(file.lastModified),
    };
    await cache.put(`${SHARE_PATH}/${now}-${index}`, new Response(file, { headers }));
  }
}

/** Returns the files that were kept, in the order in which they were shared, and forgets them. */
export async function takeShared(): Promise<readonly File[]> {
  // Browsers have caches only on secure origins.
  if (!('caches' in globalThis)) return [];
  const cache = await caches.open(CACHE);
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    if (!kept) continue;
    files.push(
      new File([await kept.blob()], decodeURIComponent(kept.headers.get(NAME) ?? ''), {
        type: kept.headers.get('Content-Type') ?? '',
        lastModified: Number(kept.headers.get(MODIFIED)),
      }),
    );
    await cache.delete(request);
  }
  return files;
}
