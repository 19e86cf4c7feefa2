import type { JSX } from 'preact';
import { PostForm } from '../components/post-form';
import { useVisit } from '../rendering/visit-context';

interface FollowButtonProps {
  readonly username: string;
  /** Whether the viewer follows them. */
  readonly followed: boolean;
}

/** Follows a person, or no longer; comes back to this page. */
export function FollowButton({ username, followed }: FollowButtonProps): JSX.Element {
  const { visit } = useVisit();
  return (
    <PostForm action={`/u/${username}/${followed ? 'unfollow' : 'follow'}`}>
      <input type="hidden" name="next" value={visit.path} />
      <button class={followed ? 'button' : 'button primary'}>
        {followed ? 'Unfollow' : 'Follow'}
        <span class="visually-hidden"> {username}</span>
      </button>
    </PostForm>
  );
}
