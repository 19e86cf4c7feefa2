import { keep, recall } from '../dom/memory';
import type { Desk } from './desk';

const SETTING = 'vitrine.moderation.keys';

/** Works the desk by single keys, unless somebody has turned them off (WCAG 2.1.4). */
export function enableKeys(desk: Desk): void {
  const dialog = document.getElementById('keys-dialog');
  const button = document.getElementById('show-keys');
  const choice = document.getElementById('keys-on');
  if (!(dialog instanceof HTMLDialogElement) || !button || !(choice instanceof HTMLInputElement)) return;
  choice.checked = recall('localStorage', SETTING) !== 'off';
  choice.addEventListener('change', () => keep('localStorage', SETTING, choice.checked ? 'on' : 'off'));
  button.hidden = false;
  button.addEventListener('click', () => dialog.showModal());

  document.addEventListener('keydown', (event) => {
    if (!choice.checked || isTaken(event)) return;
    if (event.key === '?') dialog.showModal();
    else if (!press(event.key, desk)) return;
    event.preventDefault();
  });
}

function press(key: string, desk: Desk): boolean {
  const card = desk.current();
  switch (key) {
    case 'j':
      return desk.move(1);
    case 'k':
      return desk.move(-1);
    case 'u':
      void desk.undo();
      return true;
    case ' ': {
      const preview = card?.querySelector<HTMLDetailsElement>('.preview');
      if (preview) preview.open = !preview.open;
      return preview !== null;
    }
    default: {
      const control = card?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
      control?.click();
      return control !== null && control !== undefined;
    }
  }
}

/** By the browser, by a field that is typed in, by a control that the key is for, by a dialog that is open. */
function isTaken({
  target,
  key,
  ctrlKey,
  metaKey,
  altKey,
  repeat,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return true;
  // A key that is held down decides once.
  if (repeat && key !== 'j' && key !== 'k') return true;
  if (document.querySelector('dialog[open]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, [contenteditable]')) return true;
  return key === ' ' && target.matches('button, a, summary, video');
}
