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

// Judges a new password while it is typed. The dictionaries (240 KB compressed) are loaded with the first character.
for (const note of document.querySelectorAll<HTMLElement>('[data-strength-of]')) {
  const field = document.getElementById(note.dataset['strengthOf'] ?? '');
  if (!(field instanceof HTMLInputElement)) continue;
  field.addEventListener('input', () => {
    void import('./account/password-strength')
      .then(({ showStrength }) => showStrength(field, note))
      // Without the hint the form works as before, and the API decides.
      .catch(() => undefined);
  });
}
