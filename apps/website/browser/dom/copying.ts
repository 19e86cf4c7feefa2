import { showNotice } from './notices';

/** Shows the copy buttons and makes them copy the field that they name. */
export function enableCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]');
    const field = button && document.getElementById(button.dataset['copy'] ?? '');
    if (!field) return;
    const text =
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement
        ? field.value
        : field.innerText;
    void copy(text).then(
      () => showNotice('Copied.'),
      () => {
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
        else getSelection()?.selectAllChildren(field);
        showNotice('The text is selected: copy it from there.');
      },
    );
  });
}

/** Fails if the browser doesn't allow it, and on pages over plain HTTP, which have no clipboard. */
async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
