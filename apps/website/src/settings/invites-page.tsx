import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { CopyField } from '../components/copy-field';
import { Field } from '../components/field';
import { FormProblemNote } from '../components/form-problem-note';
import { Pager } from '../components/pager';
import { PostForm } from '../components/post-form';
import { RelativeTime } from '../components/relative-time';
import type { FormProblem } from '../results/form-problem';
import { Page } from '../results/page';
import { SettingsFrame } from './settings-frame';

/** What was typed into the form for a new invite. */
export interface InviteForm {
  readonly uses: string;
  /** `2026-12-03`, or empty for the default. */
  readonly until: string;
  readonly note: string;
}

interface InvitesProps {
  readonly invites: AnswerOf<'listInvites'>;
  readonly path: string;
  readonly form?: InviteForm | undefined;
  readonly problem?: FormProblem | undefined;
  /** The invite that was just created. Its link is shown only on this page. */
  readonly made?: AnswerOf<'createInvite'> | undefined;
}

type Invite = InvitesProps['invites']['data'][number];

/** The invites that the visitor may see, and the form for a new one. */
export const invitesPage = (props: InvitesProps): Page =>
  new Page({
    title: 'Invites',
    status: props.problem?.status ?? 200,
    head: { robots: 'noindex' },
    styles: ['account.css'],
    secret: true,
    body: <Invites {...props} />,
  });

function Invites({ invites, path, form, problem, made }: InvitesProps): JSX.Element {
  const { data, meta, links } = invites;
  return (
    <SettingsFrame tab="/settings/invites">
      {made && (
        <section class="card stack" aria-labelledby="made-invite">
          <h2 id="made-invite">Your new invite</h2>
          <p class="callout">
            <strong>Copy the link now: it is shown only once.</strong>
          </p>
          <CopyField id="invite-link" label="Link" value={made.url} />
        </section>
      )}
      <section class="card" aria-labelledby="new-invite">
        <h2 id="new-invite">New invite</h2>
        <FormProblemNote problem={problem} fields={['uses', 'expires_at', 'note']} />
        <PostForm action="/settings/invites" number={problem?.number} class="stack">
          <Field
            label="Accounts"
            name="uses"
            hint="How many accounts can be created with the link."
            errors={problem?.errors['uses']}
          >
            {(control) => (
              <input {...control} type="number" min={1} max={10000} value={form?.uses ?? '1'} required />
            )}
          </Field>
          <Field
            label="Until"
            name="until"
            hint="The end of this day, in UTC. Empty: a week from now."
            errors={problem?.errors['expires_at']}
          >
            {(control) => <input {...control} type="date" value={form?.until ?? ''} />}
          </Field>
          <Field
            label="Note (optional)"
            name="note"
            hint="Who the invite is for. Only you and the moderators see it."
            errors={problem?.errors['note']}
          >
            {(control) => (
              <input {...control} value={form?.note ?? ''} maxLength={MAX_LENGTHS.note} autocomplete="off" />
            )}
          </Field>
          <button class="button primary">Create invite</button>
        </PostForm>
      </section>
      <section aria-labelledby="invites">
        <h2 id="invites">
          Invites <span class="quiet">{meta.total}</span>
        </h2>
        {data.length === 0 ? (
          <p class="empty">There are no invites yet.</p>
        ) : (
          <ul class="plain-list entries">
            {data.map((invite) => (
              <InviteEntry invite={invite} />
            ))}
          </ul>
        )}
        <Pager meta={meta} links={links} path={path} />
      </section>
    </SettingsFrame>
  );
}

const STATES: Readonly<Record<Invite['state'], string>> = {
  open: 'Open',
  used: 'Used up',
  expired: 'Expired',
  revoked: 'Revoked',
};

function InviteEntry({ invite }: { readonly invite: Invite }): JSX.Element {
  const { id, state, uses, used, note, created_by: by, created_at: at, expires_at: end } = invite;
  const name = note ?? `Invite ${id}`;
  return (
    <li class="entry">
      <div>
        <p class="entry-title">
          <strong>{name}</strong> <span class="quiet">{STATES[state]}</span>
        </p>
        <p class="small quiet">
          {used} of {uses} used · by {by}, <RelativeTime at={at} />
          {state === 'open' && (
            <>
              {' '}
              · ends <RelativeTime at={end} />
            </>
          )}
        </p>
      </div>
      {state === 'open' && (
        <PostForm action={`/settings/invites/${id}/revoke`}>
          <button class="button danger">
            Revoke<span class="visually-hidden"> {name}</span>
          </button>
        </PostForm>
      )}
    </li>
  );
}
