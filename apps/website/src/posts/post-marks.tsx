import type { Post } from '@vitrine/client';
import type { JSX } from 'preact';
import { escapeMarkup } from '../rendering/escape-markup';

/**
 * Score, views and tags for programs that read the page by string search, from the top down to the first media item
 * (gallery-dl, extractor `imgpile`). They depend on each character, the spaces and the comments included. Visitors see
 * the same facts below the pictures.
 */
export function PostMarks({ post }: { readonly post: Post }): JSX.Element {
  const tags = post.tags.map((tag) => `<span>${escapeMarkup(tag)}</span>`).join('');
  const marks = [
    `<span class="post-score">${post.score}</span>`,
    `<span class="meta-value">${post.view_count}</span>`,
    `<!-- Tags -->${tags}<!-- "Media" -->`,
  ];
  return <div hidden dangerouslySetInnerHTML={{ __html: marks.join(' ') }} />;
}
