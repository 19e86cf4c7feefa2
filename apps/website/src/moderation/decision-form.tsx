import type { JSX } from 'preact';
import { MAX_LENGTHS } from '@vitrine/contracts';
import { PostForm } from '../components/post-form';
import { DECISIONS, type DecisionName, decisionsFor } from './decisions';
import type { Subject } from './queue-item';

interface Choice {
  readonly words: string;
  /** The keyboard shortcut in the queue. */
  readonly key: string;
  readonly class?: string;
}

const CHOICES: Readonly<Record<DecisionName, Choice>> = {
  approve: { words: 'Approve', key: 'a', class: 'good' },
  nsfw: { words: 'NSFW', key: 'n' },
  reject: { words: 'Reject', key: 'r', class: 'danger' },
  ban: { words: 'Reject and ban', key: 'b', class: 'danger' },
  keep: { words: 'Dismiss reports', key: 'c' },
  delete: { words: 'Delete comment', key: 'r', class: 'danger' },
};

interface DecisionFormProps {
  readonly subject: Subject;
  /** For a post: the revision that is shown beside the form. */
  readonly revision: number | undefined;
  /** Whether there are open reports that can be dismissed. */
  readonly isReported: boolean;
  /** Path to which the moderator is sent if scripts don't run. */
  readonly next: string;
  /** Whether the moderator has already confirmed the ban: it is then a button like the others. */
  readonly bansAtOnce?: boolean;
}

/** The form with a button for each possible decision. */
export function DecisionForm({
  subject,
  revision,
  isReported,
  next,
  bansAtOnce,
}: DecisionFormProps): JSX.Element {
  const { type, target } = subject;
  const possible = decisionsFor(type).filter((name) => name !== 'keep' || isReported);
  const hasNote = possible.some((name) => DECISIONS[name].ruling !== null);
  return (
    <PostForm action="/moderation/decisions" class="decision-form" data-enhance="decision">
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="target" value={target} />
      {revision !== undefined && <input type="hidden" name="revision" value={revision} />}
      <input type="hidden" name="next" value={next} />
      <div class="decision-buttons">
        {possible.map((name) =>
          name === 'ban' && !bansAtOnce ? (
            <>
              <a class="button danger" href={`/moderation/${type}/${target}?ban=1`} data-ban data-key="b">
                <Words words={CHOICES.ban.words} letter={CHOICES.ban.key} />
              </a>
              <button name="decision" value="ban" data-done={DECISIONS.ban.done} hidden>
                Reject and ban
              </button>
            </>
          ) : (
            <button
              class={`button ${CHOICES[name].class ?? ''}`.trim()}
              name="decision"
              value={name}
              data-key={CHOICES[name].key}
              data-done={DECISIONS[name].done}
            >
              <Words words={CHOICES[name].words} letter={CHOICES[name].key} />
            </button>
          ),
        )}
      </div>
      {hasNote && (
        <details class="decision-note">
          <summary>Add a note</summary>
          <label class="field">
            <span>Note for the decision log</span>
            <textarea name="note" rows={2} maxLength={MAX_LENGTHS.reason} />
          </label>
        </details>
      )}
    </PostForm>
  );
}

function Words({ words, letter }: { readonly words: string; readonly letter: string }): JSX.Element {
  return (
    <>
      {words} <kbd aria-hidden="true">{letter}</kbd>
    </>
  );
}
