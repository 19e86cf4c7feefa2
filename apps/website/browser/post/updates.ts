import { parseMarkup } from '../dom/markup';
import { continueAt } from './player';

const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 600_000;

/**
 * Replaces the parts of the page that wait for something, such as a check or the processing of a file, by loading the page
 * again from time to time. Each of them has `data-due` while it waits, and a name in `data-live`.
 */
export function enableUpdates(): void {
  void update();
  // The editor may have added a file that waits.
  document.addEventListener('vitrine:replaced', () => void update());
}

let isRunning = false;

async function update(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let delay = FIRST_DELAY_MS; document.querySelector('[data-due]');) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(delay, MAX_DELAY_MS)));
    if (document.hidden)
      await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
    // While something changes, for example the percentage of a video, it is shown as often as before.
    if (!(await replaceDue().catch(() => false))) delay *= 1.4;
  }
  isRunning = false;
}

/** Returns whether something has changed. */
async function replaceDue(): Promise<boolean> {
  // Such a request is not counted as a view.
  const headers = { Accept: 'text/html', Purpose: 'prefetch' };
  const response = await fetch(location.pathname + location.search, { headers });
  // It was deleted: there is nothing to wait for.
  if (response.status === 404)
    for (const part of document.querySelectorAll<HTMLElement>('[data-due]')) delete part.dataset['due'];
  if (!response.ok) return false;
  const fresh = parseMarkup(await response.text());
  let isReplaced = false;
  for (const part of document.querySelectorAll<HTMLElement>('[data-due]')) {
    const next = fresh.querySelector(`[data-live="${CSS.escape(part.dataset['live'] ?? '')}"]`);
    if (!part.isConnected || !next || next.isEqualNode(part)) continue;
    // While a video waits, only the text in its stage changes, and the visitor may watch the original.
    if (next.hasAttribute('data-due') && part.querySelector('[data-live]')) continue;
    const watched = part.querySelector('video');
    if (watched?.paused === false || part.contains(document.activeElement)) continue;
    part.replaceWith(document.adoptNode(next));
    const video = next.querySelector('video');
    if (video && watched && watched.currentTime > 1) continueAt(video, watched.currentTime);
    isReplaced = true;
  }
  // Scripts have to find the new elements, for example the button of an animation.
  if (isReplaced) document.dispatchEvent(new Event('vitrine:replaced'));
  return isReplaced;
}
