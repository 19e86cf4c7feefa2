import { parseMarkup } from '../dom/markup';

const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 30_000;
/** Number of checks after which the script stops; the visitor can reload the page. */
const MAX_CHECKS = 20;

/** Shows media as soon as they are processed, by polling their own pages, which counts no view of the post. */
export function enableProcessingUpdates(): void {
  watch();
  document.addEventListener('vitrine:replaced', watch);
}

const watched = new WeakSet<HTMLElement>();

function watch(): void {
  for (const stage of document.querySelectorAll<HTMLElement>('[data-waiting]')) {
    if (watched.has(stage)) continue;
    watched.add(stage);
    look(stage, stage.dataset['waiting'] ?? '', 1);
  }
}

function look(stage: HTMLElement, path: string, looks: number): void {
  if (looks > MAX_CHECKS || !stage.isConnected) return;
  setTimeout(
    () => void replace(stage, path, looks),
    Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 1.4 ** (looks - 1)),
  );
}

async function replace(stage: HTMLElement, path: string, looks: number): Promise<void> {
  const ready = document.hidden ? null : await readyStage(path).catch(() => null);
  if (!ready) return look(stage, path, looks + (document.hidden ? 0 : 1));
  stage.replaceWith(document.adoptNode(ready));
  // An animation comes with a button, which has to be shown.
  document.dispatchEvent(new Event('vitrine:replaced'));
}

async function readyStage(path: string): Promise<Element | null> {
  const response = await fetch(path, { headers: { Accept: 'text/html' } });
  if (!response.ok) return null;
  const stage = parseMarkup(await response.text()).querySelector('.post-media .stage');
  return stage?.matches('[data-waiting]') ? null : stage;
}
