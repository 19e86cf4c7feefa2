import { FormError, freshNumber, sendForm } from '../dom/forms';
import { showNotice } from '../dom/notices';
import { enableReordering } from '../dom/reordering';
import { refreshReadingView } from './reading-view';

/** Reorders and removes the media of a post; each change is saved at once. */
export function enableArranging(): void {
  setUpArranger(document);
  document.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement) || !(submitter instanceof HTMLButtonElement)) return;
    const place = form.closest<HTMLElement>('#editor-media');
    if (!place || (form.id !== 'media-order' && form.id !== 'media-remove')) return;
    event.preventDefault();
    if (submitter.ariaDisabled === 'true') return;
    if (form.id === 'media-order') moveBy(place, submitter);
    else void takeOut(place, form, submitter);
  });
}

/** Makes the handles of the arranger within `root` work, if there is one. */
export function setUpArranger(root: ParentNode): void {
  const place = root.querySelector<HTMLElement>('#editor-media');
  if (!place) return;
  showHandles(place);
  enableReordering({
    list: listOf(place),
    handle: '[data-handle]',
    moved: () => void save(place),
    announce: (sentence) => announce(place, sentence),
  });
}

/** Shows the handles of all rows, including new ones. */
export function showHandles(place: HTMLElement): void {
  for (const hidden of place.querySelectorAll<HTMLElement>('[data-handle], [data-dragging-hint]')) {
    hidden.hidden = false;
  }
  markEnds(place);
}

export const listOf = (place: HTMLElement): HTMLElement =>
  place.querySelector<HTMLElement>('[data-arranger]') ?? place;

const rowsOf = (place: HTMLElement): HTMLElement[] => [
  ...place.querySelectorAll<HTMLElement>('.arranger-row'),
];

const orderOf = (place: HTMLElement): string =>
  rowsOf(place)
    .map(({ dataset }) => dataset['slug'] ?? '')
    .join(',');

export function announce(place: HTMLElement, sentence: string): void {
  const line = place.querySelector('[data-announcements]');
  if (line) line.textContent = sentence;
}

function moveBy(place: HTMLElement, button: HTMLButtonElement): void {
  const row = button.closest<HTMLElement>('.arranger-row');
  if (!row) return;
  if (button.value.endsWith(' up')) row.previousElementSibling?.before(row);
  else row.nextElementSibling?.after(row);
  // An element that is moved in the document loses the focus.
  button.focus();
  row.scrollIntoView({ block: 'nearest' });
  const rows = rowsOf(place);
  announce(place, `Position ${rows.indexOf(row) + 1} of ${rows.length}.`);
  void save(place);
}

/** The order that the server has, by arranger, and the arrangers whose order is being saved. */
const saved = new WeakMap<HTMLElement, string>();
const saving = new WeakSet<HTMLElement>();

/** Saves the order, and saves it again if it changed during the request. On a failure, restores the rows. */
async function save(place: HTMLElement): Promise<void> {
  markEnds(place);
  const form = place.querySelector<HTMLFormElement>('#media-order');
  const field = form?.querySelector<HTMLInputElement>('input[name="order"]');
  if (!form || !field || saving.has(place)) return;
  saving.add(place);
  try {
    for (let order = orderOf(place); order !== (saved.get(place) ?? field.value); order = orderOf(place)) {
      saved.set(place, saved.get(place) ?? field.value);
      field.value = order;
      await sendForm(form);
      saved.set(place, order);
    }
    void refreshReadingView();
  } catch (error) {
    putBack(place, saved.get(place) ?? '');
    field.value = saved.get(place) ?? '';
    tell(error);
  } finally {
    saving.delete(place);
  }
}

function putBack(place: HTMLElement, order: string): void {
  const bySlug = new Map(rowsOf(place).map((row) => [row.dataset['slug'], row]));
  for (const slug of order.split(',')) {
    const row = bySlug.get(slug);
    if (row) listOf(place).append(row);
  }
  markEnds(place);
}

/**
 * Disables impossible actions: the first row can't move up, the last can't move down, the only one can't be removed.
 */
function markEnds(place: HTMLElement): void {
  const rows = rowsOf(place);
  const mark = (button: HTMLElement | null, isOff: boolean): void => {
    if (button) button.ariaDisabled = isOff ? 'true' : null;
  };
  for (const [index, row] of rows.entries()) {
    mark(row.querySelector('[value$=" up"]'), index === 0);
    mark(row.querySelector('[value$=" down"]'), index === rows.length - 1);
    mark(row.querySelector('[name="remove"]'), rows.length === 1);
  }
}

async function takeOut(place: HTMLElement, form: HTMLFormElement, button: HTMLButtonElement): Promise<void> {
  const row = button.closest<HTMLElement>('.arranger-row');
  if (!row || row.ariaBusy === 'true') return;
  row.ariaBusy = 'true';
  try {
    await sendForm(form, button);
    const next = row.nextElementSibling;
    row.remove();
    recordServerOrder(place);
    offerUndo(place, form, row, next);
    void refreshReadingView();
  } catch (error) {
    tell(error);
  } finally {
    row.ariaBusy = null;
  }
}

/** Records that the server has the current order. */
export function recordServerOrder(place: HTMLElement): void {
  const field = place.querySelector<HTMLInputElement>('#media-order input[name="order"]');
  if (field) field.value = orderOf(place);
  saved.set(place, orderOf(place));
  markEnds(place);
}

function offerUndo(place: HTMLElement, form: HTMLFormElement, row: HTMLElement, next: Element | null): void {
  const line = document.createElement('p');
  const words = document.createElement('span');
  words.textContent = `${row.dataset['name'] ?? 'The file'} was removed from the post.`;
  const undo = document.createElement('button');
  undo.type = 'button';
  undo.className = 'button';
  undo.textContent = 'Undo';
  line.append(words, ' ', undo);
  undo.addEventListener('click', () => void putIn(place, form, row, next, line));
  place.querySelector('[data-removed]')?.append(line);
  announce(place, words.textContent);
  undo.focus();
}

async function putIn(
  place: HTMLElement,
  form: HTMLFormElement,
  row: HTMLElement,
  next: Element | null,
  line: HTMLElement,
): Promise<void> {
  if (line.ariaBusy === 'true') return;
  line.ariaBusy = 'true';
  const list = listOf(place);
  const before = orderOf(place);
  list.insertBefore(row, next?.parentElement === list ? next : null);
  const undoing = form.cloneNode(true) as HTMLFormElement;
  addField(undoing, 'media_ids', row.dataset['mediaId'] ?? '');
  addField(undoing, 'order', orderOf(place));
  const number = undoing.querySelector<HTMLInputElement>('input[name="_form"]');
  if (number) number.value = freshNumber();
  try {
    await sendForm(undoing);
    line.remove();
    recordServerOrder(place);
    announce(place, `${row.dataset['name'] ?? 'The file'} was added back to the post.`);
    row.querySelector<HTMLElement>('[data-handle]')?.focus();
    void refreshReadingView();
  } catch (error) {
    row.remove();
    putBack(place, before);
    line.ariaBusy = null;
    tell(error);
  }
}

function addField(form: HTMLFormElement, name: string, value: string): void {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = name;
  field.value = value;
  form.append(field);
}

function tell(error: unknown): void {
  if (!(error instanceof FormError)) throw error;
  showNotice(error.message, 'error');
}
