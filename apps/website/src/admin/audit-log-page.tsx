import type { AnswerOf } from '@vitrine/client';
import { AUDIT_ACTIONS, type AuditAction, MAX_AUDIT_ENTRIES, MAX_LENGTHS } from '@vitrine/contracts';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { AuditEntries } from './audit-entries';
import { Choice } from './people-page';

interface AuditLogPageProps {
  readonly log: AnswerOf<'listAuditLog'>;
  readonly filter: {
    readonly actor: string;
    readonly operator: boolean;
    readonly action: AuditAction | undefined;
    readonly subject: string;
    /** `2026-12-03`, or empty. */
    readonly from: string;
    /** The last day, or empty. */
    readonly to: string;
  };
  readonly path: string;
}

/** The log of everything that staff did, newest first. */
export function AuditLogPage({ log, filter, path }: AuditLogPageProps): JSX.Element {
  const { data, meta, links } = log;
  const total = meta.total >= MAX_AUDIT_ENTRIES ? `${MAX_AUDIT_ENTRIES} or more` : meta.total;
  return (
    <>
      <h1>
        Audit log <span class="quiet">{total}</span>
      </h1>
      <form class="row admin-filter" action="/admin/audit-log">
        <label class="field">
          <span>Who</span>
          <input
            name="actor"
            value={filter.actor}
            maxLength={MAX_LENGTHS.username}
            size={12}
            spellcheck={false}
          />
        </label>
        <Choice name="action" label="Action" words={AUDIT_ACTIONS} chosen={filter.action} />
        <label class="field">
          <span>Username, slug or hash</span>
          <input name="subject" value={filter.subject} maxLength={200} size={16} spellcheck={false} />
        </label>
        <label class="field">
          <span>From</span>
          <input type="date" name="from" value={filter.from} />
        </label>
        <label class="field">
          <span>To</span>
          <input type="date" name="to" value={filter.to} />
        </label>
        <label class="row">
          <input type="checkbox" name="operator" value="1" checked={filter.operator} />
          <span>Command line only</span>
        </label>
        <button class="button">Show</button>
      </form>
      <AuditEntries entries={data} />
      <Pager meta={meta} links={links} path={path} />
    </>
  );
}
