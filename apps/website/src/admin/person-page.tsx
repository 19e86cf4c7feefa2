import type { AnswerOf } from '@vitrine/client';
import { ROLES } from '@vitrine/contracts';
import type { ComponentChildren, JSX } from 'preact';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { Options } from '../components/options';
import { pluralize } from '../components/words';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import { StatusBadge } from '../moderation/status-badge';
import type { FormProblem } from '../results/form-problem';
import { PROOF_FIELDS, ProofFields } from '../settings/proof-fields';
import { type AuditEntry, AuditEntries } from './audit-entries';
import { PersonQuota, type TypedQuota } from './person-quota';

export type Person = AnswerOf<'getPerson'>['data'];

interface PersonPageProps {
  readonly person: Person;
  /** The username of the admin. */
  readonly admin: string;
  readonly sessions: AnswerOf<'listSessionsOf'>['data'];
  readonly tokens: AnswerOf<'listTokensOf'>['data'];
  /** What staff did to the account, newest first. */
  readonly entries: readonly AuditEntry[];
  /** What was typed into the form of the quota, if it has a problem. */
  readonly quota?: TypedQuota | undefined;
  readonly problem?: FormProblem | undefined;
}

/** One account, and what admins can do with it. */
export function PersonPage(props: PersonPageProps): JSX.Element {
  const { person, admin, sessions, tokens, entries, quota, problem } = props;
  const { username, role, state } = person;
  const path = `/admin/people/${encodeURIComponent(username)}`;
  const roleProblem = quota ? undefined : problem;
  return (
    <>
      <h1>
        {username} <StatusBadge status={state} />
      </h1>
      <Facts person={person} />
      <section class="card stack" aria-labelledby="role">
        <h2 id="role">Role</h2>
        <FormProblemNote problem={roleProblem} fields={['role', ...PROOF_FIELDS]} />
        <p>{role}</p>
        <details class="more" open={roleProblem !== undefined}>
          <summary>Change the role</summary>
          <PostForm action={`${path}/role`} number={roleProblem?.number} class="stack">
            <Field
              label="Role"
              name="role"
              hint="Moderators rule on content. Admins can do everything."
              errors={roleProblem?.errors['role']}
            >
              {(control) => (
                <select {...control}>
                  <Options of={ROLES.map((word) => [word, word])} chosen={role} />
                </select>
              )}
            </Field>
            <ProofFields id="role-proof" username={admin} problem={roleProblem} codes />
            <button class="button">Change role</button>
          </PostForm>
        </details>
      </section>
      <PersonQuota person={person} admin={admin} typed={quota} problem={quota && problem} />
      <section class="card stack" aria-labelledby="help">
        <h2 id="help">Can’t log in?</h2>
        <p class="row">
          <a class="button" href={`${path}/reset-link`}>
            Reset link…
          </a>
          {person.second_factor && (
            <a class="button danger" href={`${path}/second-factors`}>
              Remove second factors…
            </a>
          )}
        </p>
        {!person.second_factor && <p class="quiet">The account has no second factor.</p>}
      </section>
      <section class="card stack" aria-labelledby="sessions">
        <h2 id="sessions">
          Sessions <span class="quiet">{sessions.length}</span>
        </h2>
        <ul class="people-list plain-list">
          {sessions.map(({ id, device, last_used_at: used, current }) => (
            <Row
              action={`${path}/sessions/${id}/end`}
              button="End"
              of={`session ${id}`}
              title={device ?? 'Unknown device'}
            >
              {current && 'this session · '}last used <RelativeTime at={used} />
            </Row>
          ))}
        </ul>
        {sessions.length > 0 && (
          <PostForm action={`${path}/sessions/end`}>
            <button class="button danger">End all sessions</button>
          </PostForm>
        )}
      </section>
      <section class="card stack" aria-labelledby="tokens">
        <h2 id="tokens">
          API tokens <span class="quiet">{tokens.length}</span>
        </h2>
        <ul class="people-list plain-list">
          {tokens.map(({ id, name, scopes, last_used_at: used }) => (
            <Row action={`${path}/tokens/${id}/revoke`} button="Revoke" of={name} title={name}>
              {scopes.join(', ')} ·{' '}
              {used === null ? (
                'never used'
              ) : (
                <>
                  last used <RelativeTime at={used} />
                </>
              )}
            </Row>
          ))}
        </ul>
      </section>
      <section class="card stack" aria-labelledby="deletion">
        <h2 id="deletion">Delete the account</h2>
        {role === 'admin' ? (
          <p class="quiet">The account of an admin can only be deleted after its role is changed.</p>
        ) : (
          <p>
            <a class="button danger" href={`${path}/delete`}>
              Delete…
            </a>
          </p>
        )}
      </section>
      <section aria-labelledby="entries">
        <h2 id="entries">What staff did</h2>
        <AuditEntries entries={entries} />
      </section>
    </>
  );
}

function Facts({ person }: { readonly person: Person }): JSX.Element {
  const { username, email, state, state_reason: reason, state_until: until } = person;
  const name = encodeURIComponent(username);
  return (
    <>
      <p class="row small quiet">
        {email !== null && <span>{email}</span>}
        <span>
          joined <RelativeTime at={person.created_at} />
        </span>
        <span>
          {person.last_used_at === null ? (
            'never seen'
          ) : (
            <>
              last seen <RelativeTime at={person.last_used_at} />
            </>
          )}
        </span>
        <span>{pluralize(person.post_count, 'post')}</span>
        <span>{person.media_count} media</span>
        <span>{pluralize(person.follower_count, 'follower')}</span>
      </p>
      {reason !== null && (
        <div class="callout">
          <p>{reason}</p>
          {until !== null && <p class="small quiet">Until {until.slice(0, 10)}</p>}
        </div>
      )}
      <p class="row">
        {state !== 'suspended' && !person.applied && (
          <a class="button" href={`/u/${name}`}>
            View the profile
          </a>
        )}
        {person.applied ? (
          <a class="button" href="/moderation/applications">
            Decide on the application
          </a>
        ) : (
          <a class="button" href={`/moderation/user/${name}`}>
            Limit, suspend or restore
          </a>
        )}
      </p>
    </>
  );
}

interface RowProps {
  readonly action: string;
  readonly button: string;
  /** What the button is for, where only its word isn't enough. */
  readonly of: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Row({ action, button, of, title, children }: RowProps): JSX.Element {
  return (
    <li class="admin-row">
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p class="small quiet">{children}</p>
      </div>
      <PostForm action={action}>
        <button class="button danger">
          {button}
          <span class="visually-hidden"> {of}</span>
        </button>
      </PostForm>
    </li>
  );
}
