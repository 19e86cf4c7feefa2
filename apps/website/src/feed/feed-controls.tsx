import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { feedPath, type FeedQuery, type Period, PERIODS, type Sort, SORTS } from './feed-query';

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

const ORDERS: Readonly<Record<Sort, string>> = { latest: 'Latest', top: 'Top', random: 'Random' };

/** Links that change the order and the period of a feed. */
export function FeedControls({ sorts = SORTS, ...props }: FeedControlsProps & OrdersProps): JSX.Element {
  return (
    <div class="feed-controls">
      <nav class="segments" aria-label="Order">
        {sorts.map((sort) => (
          <OrderLink {...props} sort={sort} />
        ))}
      </nav>
      <PeriodMenu {...props} />
    </div>
  );
}

interface OrdersProps {
  /** The orders to choose from; all if absent. */
  readonly sorts?: readonly Sort[];
}

function OrderLink({ path, query, more, sort }: FeedControlsProps & { readonly sort: Sort }): JSX.Element {
  const isCurrent = query.sort === sort;
  return (
    <a
      href={feedPath(path, { period: query.period, sort }, more)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {sort === 'random' && <Icon name="shuffle" size={16} />}
      {sort === 'random' && isCurrent ? 'Shuffle' : ORDERS[sort]}
    </a>
  );
}

/** The menu that chooses the period of a list. */
function PeriodMenu({ path, query: { sort, period, seed }, more }: FeedControlsProps): JSX.Element {
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
