import { store, readStored } from '../dom/browser-storage';
import { tiles } from './tiles';

/** Storage key of the setting that turns single-letter shortcuts off (WCAG 2.2, 2.1.4). */
const LETTER_KEYS_SETTING = 'vitrine-letter-keys';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j', 'k'], 'Next and previous picture'],
  [['←', '→', '↑', '↓'], 'Move to a neighbouring picture'],
  [['Enter'], 'Open the picture'],
  [['?'], 'Show these shortcuts'],
];

/** Adds keyboard shortcuts that move between tiles, and a dialog that lists them. */
export function enableKeys(): void {
  const main = document.querySelector('main');
  if (!main || tiles().length === 0) return;
  const dialog = keysDialog();
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'keys-button';
  button.textContent = 'Keyboard shortcuts';
  button.addEventListener('click', () => dialog.showModal());
  document.querySelector('.site-footer nav')?.append(button);
  main.append(dialog);

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (isWriting(event.target)) return;
    const acted = event.key.startsWith('Arrow')
      ? focusNeighbour(event.key)
      : usesLetterKeys() && letter(event.key);
    if (acted) event.preventDefault();
  });

  const letter = (key: string): boolean => {
    if (key === '?') dialog.showModal();
    else if (key === 'j') goBy(1);
    else if (key === 'k') goBy(-1);
    else return false;
    return true;
  };
}

const usesLetterKeys = (): boolean => readStored('localStorage', LETTER_KEYS_SETTING) !== 'off';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, select, textarea, video, [role="textbox"]'));

/** Focuses the next or the previous tile; without a focused tile the first visible one. */
function goBy(step: 1 | -1): void {
  const all = tiles();
  const here = all.findIndex((tile) => tile.closest('li')?.contains(document.activeElement));
  const inSight = all.findIndex((tile) => tile.getBoundingClientRect().bottom > innerHeight / 4);
  focus(all[here === -1 ? inSight : here + step]);
}

/**
 * Focuses the nearest tile in a direction. Returns false if no tile has the focus, so that the page scrolls as usual.
 */
function focusNeighbour(key: string): boolean {
  const all = tiles();
  const here = all.find((tile) => tile === document.activeElement);
  if (!here) return false;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    focus(all[all.indexOf(here) + (key === 'ArrowRight' ? 1 : -1)]);
    return true;
  }
  const from = here.getBoundingClientRect();
  const distance = (tile: HTMLElement): number => {
    const to = tile.getBoundingClientRect();
    return key === 'ArrowDown' ? to.top - from.top : from.top - to.top;
  };
  const column = all.filter((tile) => Math.abs(tile.getBoundingClientRect().left - from.left) < 2);
  const beyond = column.filter((tile) => distance(tile) > 0).sort((a, b) => distance(a) - distance(b));
  focus(beyond[0]);
  return true;
}

function focus(tile: HTMLElement | undefined): void {
  if (!tile) return;
  tile.focus({ preventScroll: true });
  tile.scrollIntoView({ block: 'nearest' });
}

function keysDialog(): HTMLDialogElement {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog keys-dialog';
  dialog.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keyboard shortcuts';
  const list = document.createElement('dl');
  for (const [keys, does] of KEYS) {
    const [term, description] = [document.createElement('dt'), document.createElement('dd')];
    for (const key of keys) {
      const cap = document.createElement('kbd');
      cap.textContent = key;
      term.append(cap, ' ');
    }
    description.textContent = does;
    list.append(term, description);
  }
  const [label, box] = [document.createElement('label'), document.createElement('input')];
  label.className = 'check';
  box.type = 'checkbox';
  box.checked = usesLetterKeys();
  box.addEventListener('change', () =>
    store('localStorage', LETTER_KEYS_SETTING, box.checked ? 'on' : 'off'),
  );
  label.append(box, 'Use single-key shortcuts');
  const close = document.createElement('button');
  close.className = 'button';
  close.textContent = 'Close';
  close.autofocus = true;
  close.addEventListener('click', () => dialog.close());
  dialog.append(title, list, label, close);
  // A click outside the dialog closes it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  return dialog;
}
