import type { Visit } from './visit';

/**
 * The value of a form's field, as typed; empty if there is no such field. If there are several, the last one counts.
 */
export function fieldText(visit: Visit, name: string): string {
  return fieldTexts(visit, name).at(-1) ?? '';
}

/** All values of a field, such as the ticked checkboxes. */
export function fieldTexts(visit: Visit, name: string): readonly string[] {
  const fields = (visit.request.body ?? {}) as Readonly<Record<string, unknown>>;
  const value: unknown = Object.hasOwn(fields, name) ? fields[name] : [];
  return [value].flat().filter((text) => typeof text === 'string');
}

/** A text of several lines. Forms send a line break as two characters (HTML, 4.10.21.6); this returns one. */
export const fieldLines = (visit: Visit, name: string): string =>
  fieldText(visit, name).replace(/\r\n?/g, '\n');

/**
 * The password in a field, for a request in which it has the same name; nothing if the form has no such field, because
 * the account has no password.
 */
export function typedPassword<Name extends string>(visit: Visit, name: Name): { [field in Name]?: string } {
  const password = fieldText(visit, name);
  return (password === '' ? {} : { [name]: password }) as { [field in Name]?: string };
}

/** What was typed into `ProofFields`: the password, or a code of a second factor. */
export function typedProof(visit: Visit): { readonly current_password?: string; readonly code?: string } {
  const code = fieldText(visit, 'code').trim();
  return { ...typedPassword(visit, 'current_password'), ...(code !== '' && { code }) };
}

/** What the script has written into a form about a passkey. */
export interface PasskeyFields {
  readonly passkey_id: string;
  readonly passkey_client_data: string;
  readonly passkey_authenticator_data: string;
  readonly passkey_signature: string;
}

/** The passkey in a form; null without one. */
export function passkeyFields(visit: Visit): PasskeyFields | null {
  const fields = {
    passkey_id: fieldText(visit, 'passkey_id'),
    passkey_client_data: fieldText(visit, 'passkey_client_data'),
    passkey_authenticator_data: fieldText(visit, 'passkey_authenticator_data'),
    passkey_signature: fieldText(visit, 'passkey_signature'),
  };
  return Object.values(fields).includes('') ? null : fields;
}
