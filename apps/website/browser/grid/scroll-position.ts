import { freshNumber } from '../dom/forms';
import { store, readStored } from '../dom/browser-storage';
import type { FurtherPages } from './further-pages';
import { tiles } from './tiles';

/**
 * The visitor's position when they left: number of added pages, the first visible tile, and its distance from the top
 * in pixels.
 */
interface Place {
  readonly added: number;
  readonly tile: string;
  readonly top: number;
}

/**
 * Restores the added pages and the scroll position after a reload or when the visitor comes back, unless the browser
 * has kept the page itself.
 */
export function restorePlace(pages: FurtherPages): void {
  const key = placeKey();
  let isRestored = true;
  addEventListener('pagehide', () => {
    if (!isRestored) return;
    const tile = tiles().find((link) => link.getBoundingClientRect().bottom > 0);
    if (!tile) return;
    const place: Place = {
      added: pages.added,
      tile: tile.dataset['tile'] ?? '',
      top: tile.getBoundingClientRect().top,
    };
    store('sessionStorage', key, JSON.stringify(place));
  });
  const place = readStored('sessionStorage', key);
  if (place === null) return;
  isRestored = false;
  void goBackTo(JSON.parse(place) as Place, pages).finally(() => (isRestored = true));
}

/** The storage key, one for each entry of the browser's history. */
function placeKey(): string {
  const state = (history.state ?? {}) as { readonly grid?: string };
  const id = state.grid ?? freshNumber();
  if (state.grid === undefined) history.replaceState({ ...state, grid: id }, '');
  return `grid:${id}`;
}

async function goBackTo({ added, tile, top }: Place, pages: FurtherPages): Promise<void> {
  if (added === 0) return;
  const moved = new AbortController();
  for (const kind of ['wheel', 'touchstart', 'keydown', 'pointerdown']) {
    addEventListener(kind, () => moved.abort(), { passive: true, signal: moved.signal });
  }
  while (pages.added < added && !moved.signal.aborted) if (!(await pages.load())) break;
  const link = tiles().find((one) => one.dataset['tile'] === tile);
  if (link && !moved.signal.aborted) {
    scrollBy({ top: link.getBoundingClientRect().top - top, behavior: 'instant' });
  }
  moved.abort();
}
