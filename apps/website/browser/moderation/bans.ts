/** Asks to confirm a ban in a dialog instead of on a page. */
export function confirmBans(): void {
  const dialog = document.getElementById('ban-dialog');
  if (!(dialog instanceof HTMLDialogElement)) return;
  let form: HTMLFormElement | null = null;
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLElement>('[data-ban]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    form = link.closest('form');
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'b') return;
    event.preventDefault();
    dialog.close('ban');
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'ban') return;
    const button = form?.querySelector<HTMLButtonElement>('button[value="ban"]');
    form?.requestSubmit(button);
  });
}
