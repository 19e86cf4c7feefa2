import { notify } from './notices';

/** Shows the copy buttons, which need a script, and makes them copy the field that they name. */
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
    void navigator.clipboard.writeText(text).then(
      () => notify('Copied.'),
      () => {
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
        notify('Press Ctrl+C to copy.');
      },
    );
  });
}
