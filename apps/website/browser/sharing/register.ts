import { ownServer } from '../dom/trusted-types';
import { SHARE_PATH } from './shared-files';

/** Installs the service worker for the phone's share sheet. It handles this one path and no page. */
export async function enableSharing(worker: string): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  // TypeScript's types don't know trusted addresses yet.
  const url = (ownServer?.createScriptURL(worker) ?? worker) as string;
  try {
    await navigator.serviceWorker.register(url, { type: 'module', scope: SHARE_PATH });
  } catch {
    // Without it, the site answers shared files with the advice to choose them here.
  }
}
