import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { BarChart } from '../components/bar-chart';
import { pluralize } from '../components/words';
import { postPath } from '../links/paths';
import { Page } from '../results/page';

type Statistics = AnswerOf<'getPostStatistics'>['data'];

/** The views of a post, for its owner. */
export const statisticsPage = (slug: string, statistics: Statistics): Page =>
  new Page({
    title: 'Views of your post',
    secret: true,
    head: { robots: 'noindex' },
    styles: ['admin.css'],
    body: <Views slug={slug} {...statistics} />,
  });

function Views({ slug, days, referrers }: Statistics & { readonly slug: string }): JSX.Element {
  // Not the days before the first view, when the post may not have existed.
  const latest = days.slice(0, Math.max(1, days.findLastIndex(({ views }) => views > 0) + 1));
  const total = days.reduce((sum, { views }) => sum + views, 0);
  return (
    <>
      <p>
        <a href={postPath(slug)}>Back to the post</a>
      </p>
      <h1>Views of your post</h1>
      <p class="lead">{pluralize(total, 'view')} in the last 30 days.</p>
      {referrers.length > 0 && (
        <BarChart
          caption="Sites that led people here"
          heading="Site"
          unit="Views"
          bars={referrers.map(({ host, views }) => ({ name: host, value: views }))}
        />
      )}
      <BarChart
        caption="Views by day (UTC)"
        heading="Day"
        unit="Views"
        bars={latest.map(({ date, views }) => ({ name: date, value: views }))}
      />
    </>
  );
}
