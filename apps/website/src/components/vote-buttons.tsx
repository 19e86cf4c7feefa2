import type { JSX } from 'preact';
import { useVisit } from '../rendering/visit-context';
import { logInPath } from '../visits/log-in-path';
import { Icon } from './icon';
import { PostForm } from './post-form';

interface VoteButtonsProps {
  /** Path that takes `direction=up|down`. */
  readonly action: string;
  readonly score: number;
  /** Whether the viewer has voted so already; the same button again takes the vote back. */
  readonly up: boolean;
  readonly down: boolean;
  /** What the vote is on, within a sentence: `this post`, `ada’s comment`. */
  readonly label: string;
  readonly of: 'post' | 'comment';
  /** The key of a private post; it goes with the form. */
  readonly accessKey?: string | undefined;
}

/** A score between the two buttons that change it (browser/dom/votes.ts). Who isn't logged in is led there first. */
export function VoteButtons(props: VoteButtonsProps): JSX.Element {
  const { viewer, visit } = useVisit();
  if (!viewer) {
    const login = logInPath(visit.path);
    return (
      <div class="votes">
        <a class="vote up" href={login} rel="nofollow" aria-label={`Log in to upvote ${props.label}`}>
          <Icon name="up" />
        </a>
        <Score {...props} />
        <a class="vote down" href={login} rel="nofollow" aria-label={`Log in to downvote ${props.label}`}>
          <Icon name="down" />
        </a>
      </div>
    );
  }
  const { action, up, down, label, accessKey } = props;
  return (
    <PostForm action={action} class="votes" data-enhance="vote">
      {accessKey !== undefined && <input type="hidden" name="key" value={accessKey} />}
      <button
        class="vote up"
        name="direction"
        value="up"
        aria-pressed={up ? 'true' : 'false'}
        aria-label={`Upvote ${label}`}
      >
        <Icon name="up" />
      </button>
      <Score {...props} />
      <button
        class="vote down"
        name="direction"
        value="down"
        aria-pressed={down ? 'true' : 'false'}
        aria-label={`Downvote ${label}`}
      >
        <Icon name="down" />
      </button>
    </PostForm>
  );
}

function Score({ score, of }: VoteButtonsProps): JSX.Element {
  return (
    <span class="score">
      <span class={`${of}-score`} data-score>
        {score}
      </span>
      <span class="visually-hidden"> {Math.abs(score) === 1 ? 'point' : 'points'}</span>
    </span>
  );
}
