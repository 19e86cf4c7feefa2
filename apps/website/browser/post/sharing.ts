import { notify } from '../dom/notices';

/** Shows the button that hands a link to the device's own apps, where it has such a thing. */
export function enableSharing(): void {
  if (typeof navigator.share !== 'function') return;
  showButtons();
  document.addEventListener('vitrine:replaced', showButtons);
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLElement>('[data-share]');
    if (button) share(button);
  });
}

function showButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) button.hidden = false;
}

function share(button: HTMLElement): void {
  const { share: url, shareTitle: title } = button.dataset;
  const data = { ...(url !== undefined && { url }), ...(title !== undefined && { title }) };
  navigator.share(data).catch((error: unknown) => {
    // The visitor thought better of it.
    if (error instanceof DOMException && error.name === 'AbortError') return;
    notify('That did not work. Copy the link instead.', 'error');
  });
}
