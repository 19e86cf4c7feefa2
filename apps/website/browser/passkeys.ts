import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { FormError, sendForm, setField } from './dom/forms';

/** What the API gives for making or using a passkey; the form knows which. */
type PasskeyOptions = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

// Passkeys need scripts, so their forms are hidden until here.
if (window.PublicKeyCredential !== undefined) {
  for (const part of document.querySelectorAll<HTMLElement>('[data-passkeys]')) part.hidden = false;
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  let isAsking = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    // The browser asks for one passkey at a time; a second press would end the first one with an error.
    if (isAsking) return;
    isAsking = true;
    void sendWithPasskey(form).finally(() => (isAsking = false));
  });
}

/** Asks the site for options and the browser for a passkey, and then sends the form with it as any other form. */
async function sendWithPasskey(form: HTMLFormElement): Promise<void> {
  const problem = form.querySelector<HTMLElement>('[data-passkey-problem]');
  if (problem) problem.hidden = true;
  try {
    const options = await askForOptions(form);
    const fields = form.dataset['passkey'] === 'make' ? await made(options) : await used(options);
    for (const [name, value] of Object.entries(fields)) setField(form, name, value);
    form.submit();
  } catch (error) {
    if (!problem) return;
    problem.textContent = sentenceOf(error);
    problem.hidden = false;
  }
}

async function askForOptions(form: HTMLFormElement): Promise<PasskeyOptions> {
  const asking = document.createElement('form');
  for (const [name, value] of new FormData(form)) {
    const field = document.createElement('input');
    [field.name, field.value] = [name, String(value)];
    asking.append(field);
  }
  asking.setAttribute('action', form.dataset['options'] ?? '');
  return (await sendForm(asking))['options'] as PasskeyOptions;
}

async function made(optionsJSON: PasskeyOptions): Promise<Record<string, string>> {
  const { id, response } = await startRegistration({ optionsJSON });
  return {
    passkey_id: id,
    passkey_client_data: response.clientDataJSON,
    passkey_attestation: response.attestationObject,
    passkey_transports: (response.transports ?? []).join(','),
  };
}

async function used(optionsJSON: PasskeyOptions): Promise<Record<string, string>> {
  const { id, response } = await startAuthentication({ optionsJSON });
  return {
    passkey_id: id,
    passkey_client_data: response.clientDataJSON,
    passkey_authenticator_data: response.authenticatorData,
    passkey_signature: response.signature,
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof FormError) return Object.values(error.errors).flat().join(' ') || error.message;
  return 'The browser gave no passkey. You can try again.';
}
