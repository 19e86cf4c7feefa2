import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { scrapedGauge } from './scraped-gauge';

describe('scrapedGauge', () => {
  let registry: Registry;
  let read: jest.Mock<Promise<{ labels: object; value: number }[]>>;

  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(() => {
    // A deadline ends in the turn of the event loop after its timer.
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    registry = new Registry();
    read = jest.fn(async () => [{ labels: {}, value: 7 }]);
    scrapedGauge({ name: 'rows', help: 'Rows.', labelNames: [], registry, read });
  });
  afterEach(() => jest.useRealTimers());

  const scrape = async (): Promise<string | undefined> => {
    const text = registry.metrics();
    await jest.advanceTimersByTimeAsync(2_000);
    return /^rows (.*)$/m.exec(await text)?.[1];
  };

  it('is read once for concurrent scrapes', async () => {
    expect(await Promise.all([scrape(), scrape()])).toEqual(['7', '7']);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('has no value while it can’t be read, and no old value while a reading takes too long', async () => {
    expect(await scrape()).toBe('7');
    await jest.advanceTimersByTimeAsync(5_000);
    read.mockRejectedValueOnce(new Error('Away'));
    expect(await scrape()).toBeUndefined();

    await jest.advanceTimersByTimeAsync(5_000);
    expect(await scrape()).toBe('7');
    await jest.advanceTimersByTimeAsync(5_000);
    read.mockReturnValueOnce(new Promise(() => undefined));
    expect(await scrape()).toBeUndefined();
  });
});
