import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { Options } from '../components/options';
import { RelativeTime } from '../components/relative-time';
import { Field } from '../components/field';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import type { FormProblem } from '../results/form-problem';
import { FormProblemNote } from '../components/form-problem-note';

export interface TypedHash {
  readonly hash: string;
  readonly kind: string;
  readonly reason: string;
}

interface HashesPageProps {
  readonly hashes: AnswerOf<'listBannedHashes'>;
  readonly path: string;
  readonly typed?: TypedHash | undefined;
  readonly problem?: FormProblem | undefined;
}

const KINDS = [
  ['sha256', 'SHA-256 of a file'],
  ['pdq', 'PDQ of a picture'],
] as const;

/** The bans, newest first, and the form that adds one. */
export function HashesPage({ hashes, path, typed, problem }: HashesPageProps): JSX.Element {
  const { data, meta, links } = hashes;
  return (
    <>
      <h1>
        Bans <span class="quiet">{meta.total}</span>
      </h1>
      <p class="lead">
        Banned files can’t be uploaded, and pictures that look like a banned picture are rejected. Files that
        are already hosted stay until a moderator decides on them.
      </p>
      <details class="card ban-form" open={problem !== undefined}>
        <summary>Ban a hash</summary>
        <BanForm typed={typed} problem={problem} />
      </details>
      {data.length === 0 ? (
        <p class="empty">There are no bans.</p>
      ) : (
        <ul class="ban-list plain-list">
          {data.map(({ id, kind, hash, reason, created_at: at, created_by: by }) => (
            <li>
              <div>
                <p>
                  <span class="ban-kind">{kind === 'sha256' ? 'File' : 'Picture'}</span>{' '}
                  <span class="quiet small">
                    {id}, {by === null ? 'by the operator' : `by ${by}`}, <RelativeTime at={at} />
                  </span>
                </p>
                <p>{reason}</p>
                <code class="hash">{hash}</code>
              </div>
              <PostForm
                action={`/moderation/hashes/${id}/unban`}
                data-confirm="Lift this ban? Files that it blocks can be uploaded again."
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

function BanForm({ typed, problem }: Pick<HashesPageProps, 'typed' | 'problem'>): JSX.Element {
  return (
    <PostForm action="/moderation/hashes" number={problem?.number} class="stack" data-enhance="go">
      <FormProblemNote problem={problem} fields={['hash', 'kind', 'reason']} />
      <Field label="Kind" name="kind" errors={problem?.errors['kind']}>
        {(control) => (
          <select {...control}>
            <Options of={KINDS} chosen={typed?.kind} />
          </select>
        )}
      </Field>
      <Field label="Hash" name="hash" hint="64 hexadecimal digits." errors={problem?.errors['hash']}>
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
      <Field label="Reason" name="reason" hint="For the other moderators." errors={problem?.errors['reason']}>
        {(control) => (
          <input
            {...control}
            value={typed?.reason}
            required
            maxLength={MAX_LENGTHS.reason}
            autocomplete="off"
          />
        )}
      </Field>
      <button class="button danger">Ban</button>
    </PostForm>
  );
}
