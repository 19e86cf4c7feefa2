import type { JSX } from 'preact';
import { useVisit } from './visit-context';
import { logInPath } from '../links/paths';
import { PostForm } from './post-form';

interface FollowButtonProps {
  readonly username: string;
  /** Whether the viewer already follows this user. */
  readonly following: boolean;
}

/**
 * The button to follow or unfollow a user (browser/dom/follows.ts). Renders nothing for the viewer's own account, and a
 * link to the login if nobody is logged in.
 */
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
          {following && ' (unfollow)'}
        </span>
      </button>
    </PostForm>
  );
}
