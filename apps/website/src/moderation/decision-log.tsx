import type { AnswerOf, Media } from '@vitrine/client';
import type { JSX } from 'preact';
import { placeholderOf } from '../components/placeholder';
import { RelativeTime } from '../components/relative-time';
import { reasonInWords } from './reason-labels';
import { StatusBadge } from './status-badge';

export type Decision = AnswerOf<'listDecisions'>['data'][number];

interface DecisionLogProps {
  readonly decisions: readonly Decision[];
  /** Whether each entry names its subject. */
  readonly namesSubject: boolean;
  /** Media of which the log shows a blurred thumbnail. */
  readonly media?: readonly Media[];
}

const NOT_USERS = new Set(['system', 'owner', 'operator']);

const SUBJECT_NAMES = { media: 'Media', post: 'Post', user: 'Account' } as const;

/** A list of decisions in the given order. */
export function DecisionLog({ decisions, namesSubject, media = [] }: DecisionLogProps): JSX.Element {
  if (decisions.length === 0) return <p class="empty">No decisions yet.</p>;
  const hashes = new Map(media.map(({ slug, thumbhash }) => [slug, thumbhash]));
  return (
    <ol class="decision-log plain-list">
      {decisions.map(
        ({ type, slug, from, to, until, reason, note, scores, decided_by: by, created_at: at }) => (
          <li>
            <p class="row">
              {type === 'media' && <Veil thumbhash={hashes.get(slug) ?? null} />}
              {namesSubject && (
                <a href={`/moderation/${type}/${slug}`}>
                  {SUBJECT_NAMES[type]} {slug}
                </a>
              )}
              <span class="row change">
                <StatusBadge status={from} />
                <span class="visually-hidden">changed to</span>
                <span aria-hidden="true">→</span>
                <StatusBadge status={to} />
              </span>
            </p>
            <p class="small quiet">
              {reasonInWords(reason)}
              {scores?.unsafe !== undefined && ` (${Math.round(100 * scores.unsafe)} % unsafe)`}
              {NOT_USERS.has(by) ? (
                ''
              ) : (
                <>
                  {' '}
                  by <a href={`/u/${encodeURIComponent(by)}`}>{by}</a>
                </>
              )}
              {', '}
              <RelativeTime at={at} />
              {until !== null && `, until ${until.slice(0, 10)}`}
            </p>
            {note !== null && <p class="decision-words">{note}</p>}
          </li>
        ),
      )}
    </ol>
  );
}

function Veil({ thumbhash }: Pick<Media, 'thumbhash'>): JSX.Element | null {
  const veil = thumbhash === null ? null : placeholderOf(thumbhash);
  return veil === null ? null : <img class="log-veil" src={veil} alt="" width={40} height={40} />;
}
