import { fetchPage, showCopyButtons } from './fetched-page';

let isStale = false;
let begun = 0;

/** Whether the page shows something older than what is saved. */
export const isReadingViewStale = (): boolean => isStale;

/**
 * Brings the page that is being edited up to date: each element with `data-live` is replaced by the one of the same
 * name. Scripts that hold on to such elements listen for `vitrine:replaced` on the document.
 */
export async function refreshReadingView(): Promise<void> {
  isStale = true;
  if (!document.querySelector('[data-live="title"]')) return;
  const turn = ++begun;
  try {
    const page = await fetchPage(location.pathname + location.search);
    // One that was asked for later brings what is newer, and may have come before.
    if (turn !== begun) return;
    for (const element of document.querySelectorAll<HTMLElement>('[data-live]')) {
      const name = element.dataset['live'] ?? '';
      const fresh = page.querySelector(`[data-live="${CSS.escape(name)}"]`);
      if (!fresh) continue;
      showCopyButtons(fresh);
      element.replaceWith(document.adoptNode(fresh));
    }
    document.title = page.title;
    document.dispatchEvent(new Event('vitrine:replaced'));
    isStale = false;
  } catch {
    // It is reloaded when the editor is closed.
  }
}
