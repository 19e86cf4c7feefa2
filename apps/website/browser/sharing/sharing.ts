import { ownServer } from '../dom/trusted-types';
import { offerShared, SHARE_PATH, takeDropped } from './shared-files';

/**
 * Offers the files that other programs have shared, and installs the service worker that receives them. The worker
 * handles one path and no page.
 */
export async function enableSharing(
  worker: string,
  offer: HTMLElement,
  take: (files: readonly File[]) => void,
): Promise<void> {
  await takeDropped(take);
  await offerShared(offer, take);
  if (!('serviceWorker' in navigator)) return;
  // TypeScript's types don't know trusted addresses yet.
  const url = (ownServer?.createScriptURL(worker) ?? worker) as string;
  try {
    await navigator.serviceWorker.register(url, { type: 'module', scope: SHARE_PATH });
  } catch {
    // Without it, the site answers shared files with the advice to choose them here.
  }
}
