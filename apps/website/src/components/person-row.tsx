import type { Author } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Avatar } from './avatar';

interface PersonRowProps {
  readonly person: Author;
  /** One line under the name. */
  readonly children?: ComponentChildren;
  /** What the viewer can do, at the end of the row. */
  readonly action?: ComponentChildren;
}

/** A person in a list, with a link to their page. Needs `profile.css`. */
export function PersonRow({ person, children, action }: PersonRowProps): JSX.Element {
  return (
    <li class="person">
      <Avatar user={person} size={40} />
      <div>
        <a class="person-name" href={`/u/${person.username}`}>
          {person.username}
        </a>
        {children !== undefined && <p class="small quiet">{children}</p>}
      </div>
      {action !== undefined && <div class="person-action">{action}</div>}
    </li>
  );
}
