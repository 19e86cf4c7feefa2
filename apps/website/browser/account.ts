// Shows the buttons that show a password, which need a script.
for (const button of document.querySelectorAll<HTMLElement>('[data-reveal]')) {
  const field = document.getElementById(button.dataset['reveal'] ?? '');
  if (!(field instanceof HTMLInputElement)) continue;
  const show = (shown: boolean): void => {
    field.type = shown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(shown));
  };
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  // A password is sent, and kept by the browser, as one.
  field.form?.addEventListener('submit', () => show(false));
}
