import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Ago } from '../components/ago';
import { reasonInWords } from './reason-words';
import { StatusBadge } from './status-badge';

export type Decision = AnswerOf<'listDecisions'>['data'][number];

interface DecisionLogProps {
  readonly decisions: readonly Decision[];
  /** Whether each line says what it is about. */
  readonly namesSubject: boolean;
}

const NOBODYS = new Set(['system', 'owner']);

/** Decisions, as they come: newest first. */
export function DecisionLog({ decisions, namesSubject }: DecisionLogProps): JSX.Element {
  if (decisions.length === 0) return <p class="empty">Nothing was decided yet.</p>;
  return (
    <ol class="decision-log plain-list">
      {decisions.map(({ type, slug, from, to, reason, note, scores, decided_by: by, created_at: at }) => (
        <li>
          <p class="row">
            {namesSubject && (
              <a href={`/moderation/${type}/${slug}`}>
                {type === 'media' ? 'Media' : 'Post'} {slug}
              </a>
            )}
            <span class="row change">
              <StatusBadge status={from} />
              <span class="visually-hidden">became</span>
              <span aria-hidden="true">→</span>
              <StatusBadge status={to} />
            </span>
          </p>
          <p class="small quiet">
            {reasonInWords(reason)}
            {scores?.unsafe !== undefined && ` (${Math.round(100 * scores.unsafe)} % unsafe)`}
            {NOBODYS.has(by) ? (
              ''
            ) : (
              <>
                {' '}
                by <a href={`/u/${encodeURIComponent(by)}`}>{by}</a>
              </>
            )}
            {', '}
            <Ago at={at} />
          </p>
          {note !== null && <p class="decision-words">{note}</p>}
        </li>
      ))}
    </ol>
  );
}
