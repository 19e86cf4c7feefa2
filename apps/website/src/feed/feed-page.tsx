import type { ListedPost } from '@vitrine/client';
import type { JSX } from 'preact';
import { PostGrid } from '../components/post-grid';

export function FeedPage({ posts }: { readonly posts: readonly ListedPost[] }): JSX.Element {
  return (
    <>
      <h1 class="visually-hidden">Latest posts</h1>
      <PostGrid posts={posts} label="Latest posts" />
    </>
  );
}
