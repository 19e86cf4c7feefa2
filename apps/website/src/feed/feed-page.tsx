import type { ListedPost } from '@vitrine/client';
import type { JSX } from 'preact';

export function FeedPage({ posts }: { readonly posts: readonly ListedPost[] }): JSX.Element {
  return (
    <>
      <h1 class="visually-hidden">Latest posts</h1>
      <ul>
        {posts.map((post) => (
          <li>
            <a href={`/p/${post.slug}`}>{post.title ?? 'Untitled'}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
