import { parseMarkup } from '../dom/markup';

const FIRST_MS = 2_000;
const LONGEST_MS = 30_000;
/** After which the visitor may reload: something is slow. */
const MOST_LOOKS = 20;

/** Shows media that were being prepared as soon as they are, by looking at their own pages, which counts no view. */
export function enableWaiting(): void {
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
  if (looks > MOST_LOOKS || !stage.isConnected) return;
  setTimeout(() => void replace(stage, path, looks), Math.min(LONGEST_MS, FIRST_MS * 1.4 ** (looks - 1)));
}

async function replace(stage: HTMLElement, path: string, looks: number): Promise<void> {
  const ready = document.hidden ? null : await readyStage(path).catch(() => null);
  if (!ready) return look(stage, path, looks + (document.hidden ? 0 : 1));
  stage.replaceWith(document.adoptNode(ready));
  // An animation brings a button, which has to be shown.
  document.dispatchEvent(new Event('vitrine:replaced'));
}

async function readyStage(path: string): Promise<Element | null> {
  const response = await fetch(path, { headers: { Accept: 'text/html' } });
  if (!response.ok) return null;
  const stage = parseMarkup(await response.text()).querySelector('.post-media .stage');
  return stage?.matches('[data-waiting]') ? null : stage;
}
