import type { AnswerOf } from '@vitrine/client';
import {
  ACCOUNT_STATES,
  type AccountState,
  MAX_AUDIT_ENTRIES,
  ROLES,
  type Role,
  MAX_LENGTHS,
} from '@vitrine/contracts';
import type { JSX } from 'preact';
import { Options } from '../components/options';
import { Pager } from '../components/pager';
import { RelativeTime } from '../components/relative-time';
import { StatusBadge } from '../moderation/status-badge';

interface PeoplePageProps {
  readonly people: AnswerOf<'listPeople'>;
  readonly filter: {
    readonly q: string;
    readonly state: AccountState | undefined;
    readonly role: Role | undefined;
  };
  readonly path: string;
}

/** Totals are counted up to here. */
const MAX_COUNTED = MAX_AUDIT_ENTRIES;

/** The accounts of the site, newest first. */
export function PeoplePage({ people, filter, path }: PeoplePageProps): JSX.Element {
  const { data, meta, links } = people;
  const total = meta.total >= MAX_COUNTED ? `${MAX_COUNTED} or more` : meta.total;
  return (
    <>
      <h1>
        People <span class="quiet">{total}</span>
      </h1>
      <form class="row admin-filter" action="/admin">
        <label class="field">
          <span>Name or email address</span>
          <input type="search" name="q" value={filter.q} maxLength={MAX_LENGTHS.email} spellcheck={false} />
        </label>
        <Choice name="state" label="State" words={ACCOUNT_STATES} chosen={filter.state} />
        <Choice name="role" label="Role" words={ROLES} chosen={filter.role} />
        <button class="button">Show</button>
      </form>
      {data.length === 0 ? (
        <p class="empty">No such accounts.</p>
      ) : (
        <ul class="people-list plain-list">
          {data.map(({ username, email, role, state, applied, created_at: at }) => (
            <li>
              <p class="row">
                <a href={`/admin/people/${encodeURIComponent(username)}`}>
                  <strong>{username}</strong>
                </a>
                {role !== 'user' && <span class="ban-kind">{role}</span>}
                {state !== 'active' && <StatusBadge status={state} />}
                {applied && <span class="quiet">waits for a decision</span>}
              </p>
              <p class="small quiet">
                {email !== null && `${email} · `}joined <RelativeTime at={at} />
              </p>
            </li>
          ))}
        </ul>
      )}
      <Pager meta={meta} links={links} path={path} />
    </>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly words: readonly string[];
  readonly chosen: string | undefined;
}

/** A choice between all and one of some words. */
export function Choice({ name, label, words, chosen }: ChoiceProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <select name={name}>
        <option value="">all</option>
        <Options of={words.map((word) => [word, word])} chosen={chosen} />
      </select>
    </label>
  );
}
