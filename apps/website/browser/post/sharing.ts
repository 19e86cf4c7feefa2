import { notify } from '../dom/notices';

/** Shows the button that hands a link to the device's own apps, where it has such a thing. */
export function enableSharing(): void {
  if (typeof navigator.share !== 'function') return;
  for (const button of document.querySelectorAll<HTMLElement>('[data-share]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const { share: url, shareTitle: title } = button.dataset;
      navigator
        .share({ ...(url !== undefined && { url }), ...(title !== undefined && { title }) })
        .catch((error: unknown) => {
          // The visitor thought better of it.
          if (error instanceof DOMException && error.name === 'AbortError') return;
          notify('That did not work. Copy the link instead.', 'error');
        });
    });
  }
}
