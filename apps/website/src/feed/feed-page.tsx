import type { AnswerOf } from '@vitrine/client';
import type { ComponentChildren, JSX } from 'preact';
import { Pager } from '../components/pager';
import { feedMark } from '../links/feed-mark';
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
  /** See `FeedControls`. */
  readonly following?: boolean | undefined;
  /** Query parameters that every link keeps. */
  readonly more?: Readonly<Record<string, string>> | undefined;
  /** The tag of the feed. */
  readonly tag?: string | undefined;
  /** A button beside the title. */
  readonly action?: JSX.Element | undefined;
  /** Shown if the feed is empty. */
  readonly empty: JSX.Element;
  /** Description of the list for screen readers. */
  readonly label: string;
}

/** A feed of posts under its title. */
export function FeedPage(props: FeedPageProps): JSX.Element {
  const { posts, query, path, title, plain = false, more, tag, empty, label } = props;
  const mark = feedMark(props.following ? { sort: 'followed' } : { ...query, tag });
  return (
    <>
      <div class="feed-head">
        <h1 class={plain ? 'visually-hidden' : undefined}>{title}</h1>
        {props.action}
        <FeedControls path={path} query={query} following={props.following} />
      </div>
      {posts.data.length > 0 ? (
        <PostGrid posts={posts.data} label={label} mark={mark} />
      ) : (
        <NothingHere query={query} path={path} more={more} total={posts.meta.total} empty={empty} />
      )}
      <Pager meta={posts.meta} links={posts.links} path={feedPath(path, query, more)} />
    </>
  );
}

interface NothingHereProps {
  readonly query: FeedQuery;
  readonly path: string;
  readonly more: FeedPageProps['more'];
  readonly total: number;
  readonly empty: JSX.Element;
}

/** Explains an empty page: it is beyond the last page, the period is too short, or there are no posts yet. */
function NothingHere({ query, path, more, total, empty }: NothingHereProps): JSX.Element {
  if (total > 0) {
    return (
      <p class="empty">
        There are no more pages.{' '}
        <a href={feedPath(path, { ...query, page: 1 }, more)}>Go to the first page</a>
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
