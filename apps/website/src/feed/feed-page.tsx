import type { AnswerOf } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Pager } from '../components/pager';
import { PostGrid } from '../components/post-grid';
import { FeedControls } from './feed-controls';
import { feedPath, type FeedQuery } from './feed-query';

interface FeedPageProps {
  readonly posts: AnswerOf<'listPosts'>;
  readonly query: FeedQuery;
  /** Path of the feed, without its query. */
  readonly path: string;
  readonly title: ComponentChildren;
  /** Whether the title is visible to screen readers only. */
  readonly plain?: boolean;
  /** Shown if the feed is empty. */
  readonly empty: JSX.Element;
  /** Description of the list for screen readers. */
  readonly label: string;
}

/** A feed of posts under its title. */
export function FeedPage(props: FeedPageProps): JSX.Element {
  const { posts, query, path, title, plain = false, empty, label } = props;
  return (
    <>
      <div class="feed-head">
        <h1 class={plain ? 'visually-hidden' : undefined}>{title}</h1>
        <FeedControls path={path} query={query} />
      </div>
      {posts.data.length > 0 ? (
        <PostGrid posts={posts.data} label={label} />
      ) : (
        <NothingHere query={query} path={path} total={posts.meta.total} empty={empty} />
      )}
      <Pager meta={posts.meta} links={posts.links} path={feedPath(path, query)} />
    </>
  );
}

interface NothingHereProps {
  readonly query: FeedQuery;
  readonly path: string;
  readonly total: number;
  readonly empty: JSX.Element;
}

/** Explains an empty page: it is beyond the last page, the period is too short, or there are no posts yet. */
function NothingHere({ query, path, total, empty }: NothingHereProps): JSX.Element {
  if (total > 0) {
    return (
      <p class="empty">
        There are no more pages. <a href={feedPath(path, { ...query, page: 1 })}>Go to the first page</a>
      </p>
    );
  }
  if (query.period !== 'all') {
    return (
      <p class="empty">
        Nothing was posted in this period.{' '}
        <a href={feedPath(path, { ...query, period: 'all', page: 1 })}>Show all time</a>
      </p>
    );
  }
  return <div class="empty">{empty}</div>;
}
