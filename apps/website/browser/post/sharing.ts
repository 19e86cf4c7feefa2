import { showNotice } from '../dom/notices';

/** Shows the button that shares a link with other apps, if the browser supports it. */
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
    // The visitor has cancelled, or has pressed the button twice.
    if (error instanceof DOMException && ['AbortError', 'InvalidStateError'].includes(error.name)) return;
    showNotice('Sharing failed. Copy the link instead.', 'error');
  });
}
