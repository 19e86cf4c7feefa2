import { parse } from '@vitrine/runtime';
import type { JSX } from 'preact';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { pluralize, sizeInWords } from '../components/words';
import { PostForm } from '../components/post-form';
import { type FormProblem, invalidFormError } from '../results/form-problem';
import { PROOF_FIELDS, ProofFields } from '../settings/proof-fields';
import type { Person } from './person-page';

/** The fields of the form as typed. */
export interface TypedQuota {
  readonly bytes: string;
  readonly files: string;
}

interface PersonQuotaProps {
  readonly person: Person;
  /** The username of the admin. */
  readonly admin: string;
  readonly typed?: TypedQuota | undefined;
  readonly problem?: FormProblem | undefined;
}

/** What an account stores, how much it may, and the form to change that. */
export function PersonQuota({ person, admin, typed, problem }: PersonQuotaProps): JSX.Element {
  const { username, storage, quota_bytes: bytes, quota_files: files } = person;
  return (
    <section class="card stack" aria-labelledby="storage">
      <h2 id="storage">Storage</h2>
      <p>
        {sizeInWords(storage.bytes)}
        {storage.bytes_limit !== null && ` of ${sizeInWords(storage.bytes_limit)}`},{' '}
        {pluralize(storage.files, 'file')}
        {storage.files_limit !== null && ` of ${storage.files_limit}`}.
      </p>
      <FormProblemNote problem={problem} fields={['bytes', 'files', ...PROOF_FIELDS]} />
      <details class="more" open={problem !== undefined}>
        <summary>Change the quota</summary>
        <PostForm
          action={`/admin/people/${encodeURIComponent(username)}/quota`}
          number={problem?.number}
          class="stack"
        >
          <Field
            label="Most bytes"
            name="bytes"
            hint="Such as 20GB. Empty: the default of the site."
            errors={problem?.errors['bytes']}
          >
            {(control) => (
              <input
                {...control}
                value={typed?.bytes ?? sizeToType(bytes)}
                maxLength={20}
                autocomplete="off"
                autocapitalize="none"
                spellcheck={false}
              />
            )}
          </Field>
          <Field
            label="Most files"
            name="files"
            hint="Empty: the default of the site."
            errors={problem?.errors['files']}
          >
            {(control) => (
              <input
                {...control}
                value={typed?.files ?? String(files ?? '')}
                inputMode="numeric"
                maxLength={16}
                autocomplete="off"
              />
            )}
          </Field>
          <ProofFields id="quota-proof" username={admin} problem={problem} codes />
          <button class="button">Change quota</button>
        </PostForm>
      </details>
    </section>
  );
}

const UNITS = [
  ['TB', 1024 ** 4],
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
] as const;

/** A number of bytes, exactly, as `readQuota` reads it: `20GB`, or digits. */
function sizeToType(bytes: number | null): string {
  if (bytes === null) return '';
  const [unit = '', size = 1] = (bytes > 0 && UNITS.find(([, size]) => bytes % size === 0)) || [];
  return `${bytes / size}${unit}`;
}

/** Reads the form; null: the default of the site. Throws the error of an invalid form. */
export function readQuota(typed: TypedQuota): { bytes: number | null; files: number | null } {
  const bytes = readWith(parse.bytes, typed.bytes);
  const files = readWith(parse.integer(0), typed.files);
  if (bytes === undefined || files === undefined) {
    throw invalidFormError({
      ...(bytes === undefined && { bytes: ['Enter a size such as 500MB or 20GB.'] }),
      ...(files === undefined && { files: ['Enter a whole number.'] }),
    });
  }
  return { bytes, files };
}

function readWith(read: (text: string) => number, text: string): number | null | undefined {
  if (text === '') return null;
  try {
    return read(text);
  } catch {
    return undefined;
  }
}
