import { Logger } from '@nestjs/common';
import { FeedCountsService, FeedsModule } from '@vitrine/domain';
import { Sweeper } from '@vitrine/runtime';
import { eventually, useDomain } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { FeedFoldingSweep } from './feed-folding.sweep';

describe('FeedFoldingSweep', () => {
  const domain = useDomain([FeedsModule]);
  let registry: Registry;
  let folding: FeedFoldingSweep;
  let sweeper: Sweeper;

  beforeEach(() => {
    registry = new Registry();
    folding = new FeedFoldingSweep(domain.get(FeedCountsService), registry);
    sweeper = new Sweeper(registry);
  });
  afterEach(() => sweeper.beforeApplicationShutdown());

  let slugs = 0;
  const insertPost = (): Promise<unknown> =>
    domain.dataSource.query(`insert into posts (slug, listing) values ($1, 'safe')`, [
      `p${String(++slugs).padStart(6, '0')}`,
    ]);
  const unfolded = async (): Promise<number> => (await domain.get(FeedCountsService).findUnfolded()).deltas;
  const gauge = async (name: string): Promise<number> =>
    Number((await registry.getSingleMetricAsString(name)).split(' ').at(-1));

  it('folds written changes, and measures how many were waiting', async () => {
    await insertPost();
    await insertPost();
    await folding.runOnce();
    expect(await unfolded()).toBe(0);
    expect(await gauge('vitrine_feed_deltas')).toBe(2);
    expect(await gauge('vitrine_feed_deltas_oldest_seconds')).toBeGreaterThan(0);
    await folding.runOnce();
    expect(await gauge('vitrine_feed_deltas')).toBe(0);
  });

  it('runs until it is stopped, and logs a series of failures once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    await domain.dataSource.query('alter table feed_deltas rename to hidden');
    sweeper.begin(folding);
    await eventually(() => expect(warn).toHaveBeenCalled());
    await domain.dataSource.query('alter table hidden rename to feed_deltas');
    await insertPost();
    await eventually(async () => expect(await unfolded()).toBe(0));
    expect(warn).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
  });
});
