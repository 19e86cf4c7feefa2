import { freshNumber } from '../dom/forms';
import { keep, recall } from '../dom/memory';
import type { FurtherPages } from './further-pages';
import { tiles } from './tiles';

/** Where a visitor was when they left: pages that were added, the tile in sight, and its distance from the top in pixels. */
interface Place {
  readonly added: number;
  readonly tile: string;
  readonly top: number;
}

/**
 * Brings visitors who come back, or load the page anew, to where they were, where the browser has not kept the page
 * itself: with the pages that had been added.
 */
export function rememberPlace(pages: FurtherPages): void {
  const key = placeKey();
  addEventListener('pagehide', () => {
    const tile = tiles().find((link) => link.getBoundingClientRect().bottom > 0);
    if (!tile) return;
    const place: Place = {
      added: pages.added,
      tile: tile.dataset['tile'] ?? '',
      top: tile.getBoundingClientRect().top,
    };
    keep('sessionStorage', key, JSON.stringify(place));
  });
  const place = recall('sessionStorage', key);
  if (place !== null) void goBackTo(JSON.parse(place) as Place, pages);
}

/** One for each entry of the browser's history. */
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
