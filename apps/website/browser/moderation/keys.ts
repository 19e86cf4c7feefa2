import { store, readStored } from '../dom/browser-storage';
import type { PendingDecisions } from './pending-decisions';

const SETTING = 'vitrine.moderation.keys';

/** Adds single-key shortcuts for decisions, unless the moderator has turned them off (WCAG 2.1.4). */
export function enableKeys(decisions: PendingDecisions): void {
  const dialog = document.getElementById('keys-dialog');
  const button = document.getElementById('show-keys');
  const choice = document.getElementById('keys-on');
  if (!(dialog instanceof HTMLDialogElement) || !button || !(choice instanceof HTMLInputElement)) return;
  choice.checked = readStored('localStorage', SETTING) !== 'off';
  choice.addEventListener('change', () => store('localStorage', SETTING, choice.checked ? 'on' : 'off'));
  button.hidden = false;
  button.addEventListener('click', () => dialog.showModal());

  document.addEventListener('keydown', (event) => {
    if (!choice.checked || isTaken(event)) return;
    if (event.key === '?') dialog.showModal();
    else if (!press(event.key, decisions)) return;
    event.preventDefault();
  });
}

function press(key: string, decisions: PendingDecisions): boolean {
  const card = decisions.current();
  switch (key) {
    case 'j':
      return decisions.move(1);
    case 'k':
      return decisions.move(-1);
    case 'u':
      void decisions.undo();
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

/** Whether the key is used by something else: the browser, a text field, the focused control or an open dialog. */
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
  // Holding a key down decides only once.
  if (repeat && key !== 'j' && key !== 'k') return true;
  if (document.querySelector('dialog[open]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches('input, textarea, select, [contenteditable]')) return true;
  return key === ' ' && target.matches('button, a, summary, video');
}
