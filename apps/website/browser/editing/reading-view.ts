import { fetchPage, showCopyButtons } from './fetched-page';

let isStale = false;
let begun = 0;

/** Whether the page shows an older state than the saved one. */
export const isReadingViewStale = (): boolean => isStale;

/**
 * Updates the page behind the editor: loads it again and replaces each element with `data-live`. Then it dispatches
 * `vitrine:replaced` on the document, for scripts that use such elements.
 */
export async function refreshReadingView(): Promise<void> {
  isStale = true;
  if (!document.querySelector('[data-live="title"]')) return;
  const turn = ++begun;
  try {
    const page = await fetchPage(location.pathname + location.search);
    // A later request has newer content and may have finished first.
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
    // The page is reloaded when the editor is closed.
  }
}
