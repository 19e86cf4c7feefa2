/** `sessionStorage` is the tab's, `localStorage` the browser's. */
type Memory = 'sessionStorage' | 'localStorage';

/** What was kept under a name; null where nothing was. */
export function recall(memory: Memory, key: string): string | null {
  try {
    return window[memory].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text under a name; null lets go of it. Where the browser forbids it, or has no room, nothing is kept. */
export function keep(memory: Memory, key: string, text: string | null): void {
  try {
    if (text === null) window[memory].removeItem(key);
    else window[memory].setItem(key, text);
  } catch {
    // The page works as well without it.
  }
}
