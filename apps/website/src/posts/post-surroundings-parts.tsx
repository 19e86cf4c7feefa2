import type { ListedPost, Post } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { PostGrid } from '../components/post-grid';
import { feedMark } from '../links/feed-mark';
import { postPath, tagPath } from '../links/paths';
import { UNTITLED } from '../media/media-metadata';
import type { Surroundings } from './post-surroundings';

/** Links to the posts before and after a post in its feed (browser/post/neighbours.ts adds keys and swipes). */
export function PostNeighbours({ neighbours, mark }: Surroundings): JSX.Element | null {
  const { previous, next } = neighbours;
  if (previous === null && next === null) return null;
  const path = (slug: string): string =>
    mark === '' ? postPath(slug) : `${postPath(slug)}?${new URLSearchParams({ in: mark }).toString()}`;
  return (
    <nav class="post-neighbours" aria-label="Posts of the feed">
      {previous && (
        <a class="button" rel="prev" href={path(previous.slug)} title={previous.title ?? UNTITLED}>
          Previous
        </a>
      )}
      {next && (
        <a class="button" rel="next" href={path(next.slug)} title={next.title ?? UNTITLED}>
          Next
        </a>
      )}
    </nav>
  );
}

/** Further posts by the author and with the first tag. */
export function RelatedPosts({
  post: { user, tags },
  surroundings: { byAuthor, tagged },
}: {
  readonly post: Post;
  readonly surroundings: Surroundings;
}): JSX.Element | null {
  const [tag] = tags;
  if (byAuthor.length === 0 && tagged.length === 0) return null;
  return (
    <aside class="post-more" aria-label="More posts">
      {user && (
        <MorePosts posts={byAuthor} mark={feedMark({ username: user.username })}>
          More by <a href={`/u/${user.username}`}>{user.username}</a>
        </MorePosts>
      )}
      {tag !== undefined && (
        <MorePosts posts={tagged} mark={feedMark({ tag })}>
          More tagged <a href={tagPath(tag)}>#{tag}</a>
        </MorePosts>
      )}
    </aside>
  );
}

interface MorePostsProps {
  readonly posts: readonly ListedPost[];
  readonly mark: string;
  /** The heading. */
  readonly children: ComponentChildren;
}

function MorePosts({ posts, mark, children }: MorePostsProps): JSX.Element | null {
  if (posts.length === 0) return null;
  return (
    <section>
      <h2>{children}</h2>
      <PostGrid posts={posts} mark={mark} label="More posts" eager={false} />
    </section>
  );
}
