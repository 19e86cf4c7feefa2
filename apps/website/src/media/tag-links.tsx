import type { JSX } from 'preact';
import { tagPath } from '../links/paths';

/** Links to the pages of the tags. */
export function TagLinks({ tags }: { readonly tags: readonly string[] }): JSX.Element | null {
  if (tags.length === 0) return null;
  return (
    <ul class="tags plain-list" aria-label="Tags">
      {tags.map((tag) => (
        <li>
          <a class="tag" href={tagPath(tag)} rel="tag" dir="auto">
            {tag}
          </a>
        </li>
      ))}
    </ul>
  );
}
