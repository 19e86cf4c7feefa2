import type { AnswerOf } from '@vitrine/client';
import { ACCOUNT_STATES, type AccountState, MAX_LENGTHS } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { pluralize } from '../components/words';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import type { FormProblem } from '../results/form-problem';
import { type Decision, DecisionLog } from './decision-log';
import { StatusBadge } from './status-badge';

export type ModeratedAccount = AnswerOf<'getModeratedUser'>['data'];

/** What the moderator has chosen or typed. */
export interface TypedAccountRuling {
  readonly state: AccountState;
  readonly reason: string;
  /** `2026-12-03`, or empty. */
  readonly until: string;
}

interface AccountPageProps {
  readonly account: ModeratedAccount;
  /** Newest first. */
  readonly decisions: readonly Decision[];
  readonly typed: TypedAccountRuling;
  readonly problem?: FormProblem | undefined;
}

const CHOICES: Readonly<Record<AccountState, readonly [name: string, consequences: string]>> = {
  active: ['Active', 'Ends a limitation or a suspension. Posts, media and comments are visible as before.'],
  limited: ['Limited', 'Posts and media are in no list, and can’t comment on other people’s posts.'],
  suspended: ['Suspended', 'Can’t log in. Profile, posts, media, files and comments are hidden.'],
};

/** The page for a decision on an account, with its decision log. */
export function AccountPage({ account, decisions, typed, problem }: AccountPageProps): JSX.Element {
  const { username, role, state, state_reason: reason, state_until: until } = account;
  return (
    <>
      <h1>
        {username} <StatusBadge status={state} />
      </h1>
      <p class="row small quiet">
        {role !== 'user' && <span>{role}</span>}
        <span>
          joined <RelativeTime at={account.created_at} />
        </span>
        <span>{pluralize(account.post_count, 'post')}</span>
        <span>{account.media_count} media</span>
        {state !== 'suspended' && <a href={`/u/${encodeURIComponent(username)}`}>View the profile</a>}
      </p>
      {reason !== null && (
        <div class="callout">
          <p>{reason}</p>
          <p class="small quiet">
            {until === null ? (
              'Without an end'
            ) : (
              <>
                Ends <RelativeTime at={until} />
              </>
            )}
          </p>
        </div>
      )}
      <PostForm
        action={`/moderation/user/${encodeURIComponent(username)}`}
        number={problem?.number}
        class="card stack account-ruling"
      >
        <FormProblemNote problem={problem} fields={['state', 'reason', 'until']} />
        <fieldset class="account-states">
          <legend>State</legend>
          {ACCOUNT_STATES.map((choice) => (
            <label class="account-state">
              <input type="radio" name="state" value={choice} checked={choice === typed.state} />
              <span>
                <strong>{CHOICES[choice][0]}</strong>
                <span class="quiet small">{CHOICES[choice][1]}</span>
              </span>
            </label>
          ))}
          {problem?.errors['state'] && <p class="error">{problem.errors['state'].join(' ')}</p>}
        </fieldset>
        <Field
          label="Reason"
          name="reason"
          hint="The account’s owner reads it. Required to limit or suspend."
          errors={problem?.errors['reason']}
        >
          {(control) => (
            <textarea {...control} rows={3} maxLength={MAX_LENGTHS.reason} value={typed.reason} />
          )}
        </Field>
        <Field
          label="Until"
          name="until"
          hint="The end of this day, in UTC. Leave it empty for no end."
          errors={problem?.errors['until']}
        >
          {(control) => <input {...control} type="date" value={typed.until} />}
        </Field>
        <div>
          <button class="button primary">Save</button>
        </div>
      </PostForm>
      <h2>Decision log</h2>
      <DecisionLog decisions={decisions} namesSubject={false} />
    </>
  );
}
