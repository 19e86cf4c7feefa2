import { enhanceForms } from '../dom/forms';
import { elementOf } from '../dom/markup';
import { showCopyButtons } from './fetched-page';
import { refreshReadingView } from './reading-view';

const KINDS = '[data-enhance="edit-post"], [data-enhance="edit-media"]';
/** The state of the sent fields until the response. */
const SENDING = 'sending';

/** Saves the details of posts and media without a page load, and updates the page behind the editor. */
export function enableDetails(): void {
  enhanceForms('edit-post', {
    before: markSending,
    done({ html }, form) {
      markSaved(form);
      const place = form.querySelector('[data-key-link]');
      place?.replaceChildren(...(html === undefined ? [] : [elementOf(html)]));
      if (place) showCopyButtons(place);
      if (html !== undefined) place?.querySelector<HTMLElement>('[data-copy]')?.focus();
      void refreshReadingView();
    },
  });
  enhanceForms('edit-media', {
    before: markSending,
    done({ title, location: next }, form) {
      markSaved(form);
      const row = form.closest<HTMLElement>('.arranger-row');
      if (!row && !form.closest('.sheet')) return next;
      if (row) showName(row, String(title ?? ''));
      const details = form.closest('details');
      if (details) details.open = false;
      details?.querySelector('summary')?.focus();
      return void refreshReadingView();
    },
  });
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest<HTMLFormElement>(KINDS) : null;
    if (form) form.dataset['unsaved'] = '';
  });
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved(document)) event.preventDefault();
  });
}

function markSending(form: HTMLFormElement): void {
  form.dataset['unsaved'] = SENDING;
}

/** What was typed during the request is still unsaved. */
function markSaved(form: HTMLFormElement): void {
  if (form.dataset['unsaved'] === SENDING) delete form.dataset['unsaved'];
}

/** Whether there are unsaved changes. */
export const hasUnsaved = (within: ParentNode): boolean => within.querySelector('[data-unsaved]') !== null;

function showName(row: HTMLElement, title: string): void {
  const name = row.querySelector('.arranger-name');
  if (name && title !== '') name.textContent = row.dataset['name'] = title;
}
