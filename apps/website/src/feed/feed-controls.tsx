import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { feedPath, type FeedQuery, type Period, PERIODS } from './feed-query';

interface FeedControlsProps {
  /** Path of the feed, without its query. */
  readonly path: string;
  readonly query: FeedQuery;
  /** Query parameters that every link keeps. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  day: 'Last day',
  week: 'Last week',
  month: 'Last month',
  year: 'Last year',
  all: 'All time',
};

/** Links that change the order and the period of a feed. */
export function FeedControls({ path, query, more }: FeedControlsProps): JSX.Element {
  const { sort, period } = query;
  return (
    <div class="feed-controls">
      <nav class="segments" aria-label="Order">
        <a href={feedPath(path, { period }, more)} aria-current={sort === 'latest' ? 'page' : undefined}>
          Latest
        </a>
        <a
          href={feedPath(path, { period, sort: 'random' }, more)}
          aria-current={sort === 'random' ? 'page' : undefined}
        >
          <Icon name="shuffle" size={16} />
          {sort === 'random' ? 'Shuffle' : 'Random'}
        </a>
      </nav>
      <PeriodMenu path={path} query={query} more={more} />
    </div>
  );
}

/** The menu that chooses the period of a list. */
export function PeriodMenu({ path, query: { sort, period, seed }, more }: FeedControlsProps): JSX.Element {
  return (
    <details class="menu period-menu" data-menu>
      <summary class="button">
        <span class="visually-hidden">Period: </span>
        {PERIOD_NAMES[period]}
        <Icon name="down" size={16} />
      </summary>
      <nav class="menu-items" aria-label="Period">
        {PERIODS.map((choice) => (
          <a
            href={feedPath(path, { period: choice, sort, seed }, more)}
            aria-current={choice === period ? 'page' : undefined}
          >
            {PERIOD_NAMES[choice]}
          </a>
        ))}
      </nav>
    </details>
  );
}
