import { showNotice } from './notices';

/** Shows the copy buttons and makes them copy the field that they name (`data-copy`), or their text (`data-copy-text`). */
export function enableCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy], [data-copy-text]'))
    button.hidden = false;
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy], [data-copy-text]');
    const field = button && document.getElementById(button.dataset['copy'] ?? '');
    const text = button?.dataset['copyText'] ?? (field && textOf(field));
    if (text === undefined || text === null) return;
    void copy(text).then(
      () => showNotice('Copied.'),
      () => {
        if (!field) return void prompt('Copy this:', text);
        if (isTyped(field)) field.select();
        else getSelection()?.selectAllChildren(field);
        showNotice('The text is selected: copy it from there.');
      },
    );
  });
}

const isTyped = (field: HTMLElement): field is HTMLInputElement | HTMLTextAreaElement =>
  field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;

const textOf = (field: HTMLElement): string => (isTyped(field) ? field.value : field.innerText);

/** Fails if the browser doesn't allow it, and on pages over plain HTTP, which have no clipboard. */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
