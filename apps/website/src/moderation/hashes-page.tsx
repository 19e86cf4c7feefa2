import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Ago } from '../components/ago';
import { Field } from '../components/field';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import { type FormTrouble, TroubleNote } from '../rendering/form-trouble';

export interface TypedHash {
  readonly hash: string;
  readonly kind: string;
  readonly reason: string;
}

interface HashesPageProps {
  readonly hashes: AnswerOf<'listBannedHashes'>;
  readonly path: string;
  readonly typed?: TypedHash | undefined;
  readonly trouble?: FormTrouble | undefined;
}

const KINDS = [
  ['sha256', 'SHA-256 of a file'],
  ['pdq', 'PDQ of a picture'],
] as const;

/** What is banned, newest first, and a form for more. */
export function HashesPage({ hashes, path, typed, trouble }: HashesPageProps): JSX.Element {
  const { data, meta, links } = hashes;
  return (
    <>
      <h1>
        Bans <span class="quiet">{meta.total}</span>
      </h1>
      <p class="lead">
        A banned file can’t be uploaded; a picture that looks like a banned one is rejected. What is hosted
        already stays until it is decided on.
      </p>
      <details class="card ban-form" open={trouble !== undefined}>
        <summary>Ban a hash</summary>
        <BanForm typed={typed} trouble={trouble} />
      </details>
      {data.length === 0 ? (
        <p class="empty">Nothing is banned.</p>
      ) : (
        <ul class="ban-list plain-list">
          {data.map(({ id, kind, hash, reason, created_at: at, created_by: by }) => (
            <li>
              <div>
                <p>
                  <span class="ban-kind">{kind === 'sha256' ? 'File' : 'Picture'}</span>{' '}
                  <span class="quiet small">
                    {id}, {by === null ? 'by the operator' : `by ${by}`}, <Ago at={at} />
                  </span>
                </p>
                <p>{reason}</p>
                <code class="hash">{hash}</code>
              </div>
              <PostForm
                action={`/moderation/hashes/${id}/unban`}
                data-confirm="Lift this ban? What it keeps out can be uploaded again."
              >
                <button class="button" aria-label={`Lift ban ${id}`}>
                  Lift
                </button>
              </PostForm>
            </li>
          ))}
        </ul>
      )}
      <Pager meta={meta} links={links} path={path} />
    </>
  );
}

function BanForm({ typed, trouble }: Pick<HashesPageProps, 'typed' | 'trouble'>): JSX.Element {
  return (
    <PostForm action="/moderation/hashes" number={trouble?.number} class="stack" data-enhance="go">
      <TroubleNote trouble={trouble} fields={['hash', 'kind', 'reason']} />
      <Field label="Kind" name="kind" errors={trouble?.errors['kind']}>
        {(control) => (
          <select {...control}>
            {KINDS.map(([kind, words]) => (
              <option value={kind} selected={kind === typed?.kind}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Hash" name="hash" hint="64 hexadecimal digits." errors={trouble?.errors['hash']}>
        {(control) => (
          <input
            {...control}
            value={typed?.hash}
            required
            pattern="\s*[0-9a-fA-F]{64}\s*"
            spellcheck={false}
            autocomplete="off"
          />
        )}
      </Field>
      <Field label="Reason" name="reason" hint="For the other moderators." errors={trouble?.errors['reason']}>
        {(control) => (
          <input {...control} value={typed?.reason} required maxLength={1000} autocomplete="off" />
        )}
      </Field>
      <button class="button danger">Ban it</button>
    </PostForm>
  );
}
