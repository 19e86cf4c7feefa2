import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { type DecisionName, DECISIONS } from './decisions';
import { QueueCard } from './queue-card';
import type { Subject } from './queue-item';
import { UndoForm } from './undo-form';

/** What was decided on the page before, where no script ran. */
export interface LatestDecision {
  readonly subject: Subject;
  readonly decision: DecisionName;
  readonly bans: readonly number[];
  /** For a post: the revision that was decided on. */
  readonly revision: number | undefined;
}

interface QueuePageProps {
  readonly queue: AnswerOf<'listModerationQueue'>;
  readonly latest: LatestDecision | null;
  readonly path: string;
}

/** What waits for a moderator, the longest wait first. */
export function QueuePage({ queue, latest, path }: QueuePageProps): JSX.Element {
  const { data, meta, links } = queue;
  return (
    <>
      <div class="queue-head">
        <h1>
          Queue{' '}
          <span class="quiet" id="queue-total" data-total={meta.total}>
            {meta.total} waiting
          </span>
        </h1>
        <button type="button" class="button" id="show-keys" hidden>
          Keys <kbd aria-hidden="true">?</kbd>
        </button>
      </div>
      {latest && (
        <div class="callout row latest-decision">
          <p>
            {DECISIONS[latest.decision].done}:{' '}
            <a href={`/moderation/${latest.subject.type}/${latest.subject.target}`}>
              {latest.subject.type} {latest.subject.target}
            </a>
          </p>
          <UndoForm subject={latest.subject} revision={latest.revision} bans={latest.bans} />
        </div>
      )}
      <div class="queue" id="queue">
        {data.map((item) => (
          <QueueCard item={item} />
        ))}
      </div>
      <p class="empty" id="queue-empty" hidden={data.length > 0}>
        Nothing waits for a decision. What comes in shows up here.
      </p>
      <div id="queue-pages">
        <Pager meta={meta} links={links} path={path} />
      </div>
      <div class="undo-bar" id="undo-bar" role="status" />
      <BanDialog />
      <KeysDialog />
    </>
  );
}

function BanDialog(): JSX.Element {
  return (
    <dialog id="ban-dialog" class="dialog" aria-labelledby="ban-title">
      <h2 id="ban-title">Reject and ban?</h2>
      <p>
        Its files are withdrawn, and nobody can upload them again, nor pictures that look like them. On a post
        this holds for all its media.
      </p>
      <form method="dialog" class="row">
        <button class="button danger" value="ban" id="ban-yes">
          Reject and ban <kbd aria-hidden="true">b</kbd>
        </button>
        <button class="button" value="">
          Cancel <kbd aria-hidden="true">Esc</kbd>
        </button>
      </form>
    </dialog>
  );
}

const KEYS = [
  ['j, k', 'Next, previous'],
  ['Space', 'Show or hide what it is; a long press shows it while it lasts'],
  ['a', 'Approve'],
  ['n', 'Nsfw: for adults'],
  ['r', 'Reject, or delete a comment'],
  ['b', 'Reject and ban'],
  ['c', 'Leave as it is and close its reports'],
  ['u', 'Undo, as often as needed'],
  ['?', 'These keys'],
] as const;

function KeysDialog(): JSX.Element {
  return (
    <dialog id="keys-dialog" class="dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, words]) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" class="stack">
        <label class="check">
          <input type="checkbox" id="keys-on" checked /> Decide by single keys
        </label>
        <button class="button primary">Close</button>
      </form>
    </dialog>
  );
}
