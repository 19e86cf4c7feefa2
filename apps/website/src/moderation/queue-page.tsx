import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { Pager } from '../components/pager';
import { type DecisionName, DECISIONS } from './decisions';
import { QueueCard } from './queue-card';
import type { Subject } from './queue-item';
import { UndoForm } from './undo-form';

/** The form that undoes the previous decision, if scripts don't run. */
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

/** The moderation queue; the item that has waited longest comes first. */
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
        The queue is empty. New items appear here.
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
        The files are withdrawn. Nobody can upload them again, or pictures that look like them. For a post,
        this applies to all its media.
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
  ['Space', 'Show or hide the preview; hold the mouse button or a finger on it to show it briefly'],
  ['a', 'Approve'],
  ['n', 'NSFW: adult content'],
  ['r', 'Reject, or delete a comment'],
  ['b', 'Reject and ban'],
  ['c', 'Dismiss its reports'],
  ['u', 'Undo the last decision; press again for earlier ones'],
  ['?', 'Show these shortcuts'],
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
          <input type="checkbox" id="keys-on" checked /> Use single-key shortcuts
        </label>
        <button class="button primary">Close</button>
      </form>
    </dialog>
  );
}
