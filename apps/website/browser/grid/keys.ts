import { keep, recall } from '../dom/memory';
import { tiles } from './tiles';

/** Where the visitor's wish for no single-letter keys is kept (WCAG 2.2, 2.1.4). */
const WISH = 'vitrine-letter-keys';

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['j', 'k'], 'Next and previous picture'],
  [['←', '→', '↑', '↓'], 'From the picture that has the focus to those around it'],
  [['Enter'], 'Open it'],
  [['?'], 'Show these keys'],
];

/** Moves between tiles by keys, and tells which keys there are. */
export function enableKeys(): void {
  const main = document.querySelector('main');
  if (!main || tiles().length === 0) return;
  const dialog = keysDialog();
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'keys-button';
  button.ariaLabel = 'Keys';
  button.textContent = '?';
  button.addEventListener('click', () => dialog.showModal());
  main.append(button, dialog);

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    if (isWriting(event.target)) return;
    const acted = event.key.startsWith('Arrow') ? goAround(event.key) : takesLetters() && letter(event.key);
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

const takesLetters = (): boolean => recall('localStorage', WISH) !== 'off';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, select, textarea, video, [role="textbox"]'));

/** To the next tile or the one before; from nowhere to the first in sight. */
function goBy(step: 1 | -1): void {
  const all = tiles();
  const here = all.findIndex((tile) => tile.closest('li')?.contains(document.activeElement));
  const inSight = all.findIndex((tile) => tile.getBoundingClientRect().bottom > innerHeight / 4);
  focus(all[here === -1 ? inSight : here + step]);
}

/** To the nearest tile in a direction. False where no tile has the focus, so that the page scrolls as ever. */
function goAround(key: string): boolean {
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
  dialog.className = 'keys-dialog';
  dialog.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keys';
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
  box.checked = takesLetters();
  box.addEventListener('change', () => keep('localStorage', WISH, box.checked ? 'on' : 'off'));
  label.append(box, 'Use the letters and the question mark');
  const close = document.createElement('button');
  close.className = 'button';
  close.textContent = 'Close';
  close.autofocus = true;
  close.addEventListener('click', () => dialog.close());
  dialog.append(title, list, label, close);
  // A click beside it closes it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  return dialog;
}
