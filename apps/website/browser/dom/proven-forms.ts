/** Solves a challenge when a form with `data-proof-of-work="<purpose>"` is sent, and then sends it. */
export function enableProvenForms(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-proof-of-work]')) prove(form);
}

function prove(form: HTMLFormElement): void {
  const field = form.elements.namedItem('proof_of_work');
  const status = form.querySelector<HTMLElement>('[data-proof-status]');
  if (!(field instanceof HTMLInputElement) || !status) return;
  const say = (sentence: string): void => {
    status.textContent = sentence;
    status.hidden = sentence === '';
  };
  // A proof can be used once, and browsers fill in what was sent before a reload.
  field.value = '';
  form.addEventListener('submit', (event) => {
    if (field.value !== '') return;
    event.preventDefault();
    if (form.ariaBusy === 'true') return;
    form.ariaBusy = 'true';
    say('Checking that you are not a spam program. This takes a few seconds …');
    const { submitter } = event;
    // Loaded only where it is needed.
    void import('./proof-of-work')
      .then(({ proofOfWork }) => proofOfWork(form.dataset['proofOfWork'] ?? ''))
      .then((proof) => {
        field.value = proof;
        form.ariaBusy = null;
        form.requestSubmit(submitter);
      })
      .catch((error: unknown) => {
        form.ariaBusy = null;
        say(error instanceof Error ? error.message : String(error));
      });
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    field.value = '';
    say('');
  });
}
