import type { JSX } from 'preact';
import { Icon } from '../components/icon';
import { feedPath, type FeedQuery, type Period, PERIODS, type Sort, SORTS } from './feed-query';

interface FeedControlsProps {
  /** Path of the feed, without its query. */
  readonly path: string;
  readonly query: FeedQuery;
  /** On the home page of members: whether it shows the followed people and tags. The other links then name their order. */
  readonly following?: boolean | undefined;
  /** Query parameters that every link keeps. */
  readonly more?: Readonly<Record<string, string>> | undefined;
}

/** The periods of lists, the shortest first. */
export const PERIOD_NAMES: Readonly<Record<Period, string>> = {
  day: 'Last day',
  week: 'Last week',
  month: 'Last month',
  year: 'Last year',
  all: 'All time',
};

const ORDERS: Readonly<Record<Sort, string>> = {
  latest: 'Latest',
  rising: 'Rising',
  top: 'Top',
  random: 'Random',
};

/** The home page with the posts of followed people and tags. */
export const FOLLOWING_PATH = '/?sort=following';

/** Links that change the order and the period of a feed. */
export function FeedControls({ sorts = SORTS, ...props }: FeedControlsProps & OrdersProps): JSX.Element {
  return (
    <div class="feed-controls">
      <nav class="segments" aria-label="Order">
        {props.following !== undefined && (
          <a href={FOLLOWING_PATH} aria-current={props.following ? 'page' : undefined}>
            Following
          </a>
        )}
        {sorts.map((sort) => (
          <OrderLink {...props} sort={sort} />
        ))}
      </nav>
      {!props.following && hasPeriod(props.query) && <PeriodMenu {...props} />}
    </div>
  );
}

interface OrdersProps {
  /** The orders to choose from; all if absent. */
  readonly sorts?: readonly Sort[];
}

/** The highest scores of a period are of interest; any other order only keeps a period that the address names. */
const hasPeriod = ({ sort, period }: FeedQuery): boolean =>
  sort === 'top' || (sort !== 'rising' && period !== 'all');

function OrderLink({
  path,
  query,
  more,
  following,
  sort,
}: FeedControlsProps & { readonly sort: Sort }): JSX.Element {
  const isCurrent = query.sort === sort && following !== true;
  const named = following !== undefined && sort === 'latest' ? { ...more, sort } : more;
  return (
    <a
      href={feedPath(path, { period: sort === 'top' ? query.period : 'all', sort }, named)}
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
