import type { JSX } from 'preact';
import { Icon } from './icon';
import { PostForm } from './post-form';
import { useVisit } from './visit-context';

interface HideMenuProps {
  readonly username: string;
  readonly isMuted: boolean;
}

/** A menu to mute or block a user. Renders nothing if nobody is logged in. */
export function HideMenu({ username, isMuted }: HideMenuProps): JSX.Element | null {
  const { viewer, visit } = useVisit();
  if (!viewer) return null;
  const path = `/u/${encodeURIComponent(username)}`;
  return (
    <details class="menu" data-menu>
      <summary class="icon-button" title="More">
        <Icon name="more" />
        <span class="visually-hidden">More about {username}</span>
      </summary>
      <div class="menu-items">
        <PostForm action={`${path}/${isMuted ? 'unmute' : 'mute'}`}>
          <input type="hidden" name="next" value={visit.path} />
          <button>
            {isMuted ? 'Unmute' : 'Mute'} {username}
          </button>
        </PostForm>
        <a href={`${path}/block`} rel="nofollow">
          Block {username}
        </a>
      </div>
    </details>
  );
}
