import { enableProvenForms } from './dom/proven-forms';

enableProvenForms();
// Makes the buttons work that show a password; they are hidden without scripts.
for (const button of document.querySelectorAll<HTMLElement>('[data-reveal]')) {
  const field = document.getElementById(button.dataset['reveal'] ?? '');
  if (!(field instanceof HTMLInputElement)) continue;
  const show = (shown: boolean): void => {
    field.type = shown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(shown));
  };
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  // Sent as a password field, so that the browser treats it as a password.
  field.form?.addEventListener('submit', () => show(false));
}
