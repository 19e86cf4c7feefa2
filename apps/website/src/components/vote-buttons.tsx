import type { JSX } from 'preact';
import { useVisit } from './visit-context';
import { logInPath } from '../links/paths';
import { Icon } from './icon';
import { PostForm } from './post-form';

interface VoteButtonsProps {
  /** Path that takes `direction=up|down`. */
  readonly action: string;
  readonly score: number;
  /** Whether this is the viewer's current vote; pressing the button again removes it. */
  readonly up: boolean;
  readonly down: boolean;
  /** The object of the vote within a sentence: `this post`, `ada’s comment`. */
  readonly label: string;
  readonly of: 'post' | 'comment';
  /** The key of a private post; the form sends it along. */
  readonly accessKey?: string | undefined;
}

/**
 * A score between the two vote buttons (browser/dom/votes.ts). Without a session, the buttons are links to the login.
 */
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
      <span class={`${of}-vote-score`} data-score>
        {score}
      </span>
      <span class="visually-hidden"> {Math.abs(score) === 1 ? 'point' : 'points'}</span>
    </span>
  );
}
