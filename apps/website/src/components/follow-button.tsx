import type { JSX } from 'preact';
import { useVisit } from '../rendering/visit-context';
import { logInPath } from '../visits/log-in-path';
import { PostForm } from './post-form';

interface FollowButtonProps {
  readonly username: string;
  /** Whether the viewer follows them already. */
  readonly following: boolean;
}

/** Follows somebody, or ends it (browser/dom/follows.ts). Nothing for oneself; who isn't logged in is led there first. */
export function FollowButton({ username, following }: FollowButtonProps): JSX.Element | null {
  const { viewer, visit } = useVisit();
  if (viewer?.username === username) return null;
  if (!viewer) {
    return (
      <a class="button" href={logInPath(visit.path)} rel="nofollow">
        Follow<span class="visually-hidden"> {username}</span>
      </a>
    );
  }
  return (
    <PostForm
      action={`/u/${encodeURIComponent(username)}/${following ? 'unfollow' : 'follow'}`}
      class="follow"
      data-enhance="follow"
    >
      <input type="hidden" name="next" value={visit.path} />
      <button class={following ? 'button' : 'button primary'}>
        {following ? 'Following' : 'Follow'}
        <span class="visually-hidden">
          {' '}
          {username}
          {following && ': stop'}
        </span>
      </button>
    </PostForm>
  );
}
