import type { JSX } from 'preact';
import { useVisit } from './visit-context';
import { logInPath, tagPath } from '../links/paths';
import { PostForm } from './post-form';

interface FollowButtonProps {
  /** The user, or the tag, to follow. */
  readonly whom: { readonly username: string } | { readonly tag: string };
  /** Whether the viewer already follows. */
  readonly following: boolean;
}

/**
 * The button to follow or unfollow a user or a tag (browser/dom/follows.ts). Renders nothing for the viewer's own account, and a
 * link to the login if nobody is logged in.
 */
export function FollowButton({ whom, following }: FollowButtonProps): JSX.Element | null {
  const { viewer, visit } = useVisit();
  const [name, path] =
    'tag' in whom
      ? [`#${whom.tag}`, tagPath(whom.tag)]
      : [whom.username, `/u/${encodeURIComponent(whom.username)}`];
  if (viewer?.username === name) return null;
  if (!viewer) {
    return (
      <a class="button" href={logInPath(visit.path)} rel="nofollow">
        Follow<span class="visually-hidden"> {name}</span>
      </a>
    );
  }
  return (
    <PostForm action={`${path}/${following ? 'unfollow' : 'follow'}`} class="follow" data-enhance="follow">
      <input type="hidden" name="next" value={visit.path} />
      <button class={following ? 'button' : 'button primary'}>
        {following ? 'Following' : 'Follow'}
        <span class="visually-hidden">
          {' '}
          {name}
          {following && ' (unfollow)'}
        </span>
      </button>
    </PostForm>
  );
}
