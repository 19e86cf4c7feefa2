import type { AnswerOf } from '@vitrine/client';
import type { AuditAction, AuditSubject } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { RelativeTime } from '../components/relative-time';

export type AuditEntry = AnswerOf<'listAuditLog'>['data'][number];

/** What was done, for sentences such as “ada banned the hash 12ab”. */
const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  'media.rule': 'ruled on',
  'post.rule': 'ruled on',
  'user.rule': 'changed the state of',
  'application.decide': 'decided on the application of',
  'report.dismiss': 'dismissed the reports on',
  'comment.delete': 'deleted',
  'hash.ban': 'banned',
  'hash.unban': 'lifted the ban of',
  'invite.create': 'created',
  'invite.revoke': 'revoked',
  'user.create': 'created',
  'user.change_role': 'changed the role of',
  'user.change_quota': 'changed the quota of',
  'user.reset_link': 'made a reset link for',
  'user.remove_second_factor': 'removed a second factor of',
  'user.end_session': 'ended a session of',
  'user.end_sessions': 'ended all sessions of',
  'user.delete': 'deleted',
  'token.create': 'created an API token for',
  'token.revoke': 'revoked an API token of',
  'media.reprocess': 'had processed again',
  'bus.replay': 'replayed',
  'bus.discard': 'discarded',
  'site.migrate': 'migrated',
  'site.seed_demo': 'added',
};

const SUBJECT_WORDS: Readonly<Record<AuditSubject, string>> = {
  media: 'the media item',
  post: 'the post',
  comment: 'the comment',
  user: 'the account',
  hash: 'the hash',
  invite: 'the invite',
  bus: 'dead letters of',
  site: 'the',
};

/** Where more is to be seen about a subject. */
const SUBJECT_PATHS: Partial<Readonly<Record<AuditSubject, string>>> = {
  media: '/moderation/media/',
  post: '/moderation/post/',
  user: '/admin/people/',
};

/** Entries of the audit log in the given order. */
export function AuditEntries({ entries }: { readonly entries: readonly AuditEntry[] }): JSX.Element {
  if (entries.length === 0) return <p class="empty">No entries.</p>;
  return (
    <ol class="audit-log plain-list">
      {entries.map((entry) => (
        <li>
          <p>
            {entry.actor === null ? (
              <strong>{actorInWords(entry.detail)}</strong>
            ) : (
              <a href={`/admin/people/${encodeURIComponent(entry.actor)}`}>{entry.actor}</a>
            )}{' '}
            {ACTION_WORDS[entry.action]} {SUBJECT_WORDS[entry.subject_type]} <Subject entry={entry} />
          </p>
          <p class="small quiet">
            <RelativeTime at={entry.created_at} />
            {entry.address !== null && ` from ${entry.address}`}
            {entry.detail && ` · ${detailInWords(entry.detail)}`}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Subject({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const path = SUBJECT_PATHS[entry.subject_type];
  if (path === undefined) return <span class="audit-subject">{entry.subject}</span>;
  return (
    <a class="audit-subject" href={path + encodeURIComponent(entry.subject)}>
      {entry.subject}
    </a>
  );
}

/** Who acted without an account: the operator, or an identity provider, which the detail names. */
const actorInWords = (detail: AuditEntry['detail']): string =>
  typeof detail?.['by'] === 'string' ? `The ${detail['by']}` : 'The operator';

/** `from user, to moderator`. The database doesn’t keep the order of the fields. */
const detailInWords = ({ from, by: _, ...rest }: Readonly<Record<string, unknown>>): string =>
  Object.entries(from === undefined ? rest : { from, ...rest })
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${wordsOf(value)}`)
    .join(', ');

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
