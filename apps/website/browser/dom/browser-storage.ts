/** `sessionStorage` belongs to the tab, `localStorage` to the browser. */
type StorageArea = 'sessionStorage' | 'localStorage';

/** The text that is stored under a name; null if there is none. */
export function readStored(memory: StorageArea, key: string): string | null {
  try {
    return window[memory].getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text under a name; null removes it. Does nothing if the browser forbids storage or it is full. */
export function store(memory: StorageArea, key: string, text: string | null): void {
  try {
    if (text === null) window[memory].removeItem(key);
    else window[memory].setItem(key, text);
  } catch {
    // The page also works without storage.
  }
}
