import { UsageError } from '@vitrine/admin';
import { readOptions } from './benchmark';

describe('readOptions', () => {
  const read = (...args: string[]) =>
    readOptions(
      { rounds: { default: 3, least: 1 }, posts: { default: 9, least: 2, most: 10 } },
      ['folder'],
      args,
    );

  it('returns the given values and the defaults', () => {
    expect(read()).toEqual({ rounds: 3, posts: 9 });
    const given = read('--rounds', '7', '--folder', '/photographs');
    expect(given).toEqual({ rounds: 7, posts: 9, folder: '/photographs' });
  });

  it.each<[string[], string]>([
    [['--help'], 'Options: '],
    [['--round', '7'], "Unknown option '--round'"],
    [['seven'], 'Unexpected argument "seven".'],
    [['--rounds', '0'], '--rounds must be a whole number of at least 1.'],
    [['--rounds', 'many'], '--rounds must be a whole number of at least 1.'],
    [['--posts', '11'], '--posts must be a whole number from 2 to 10.'],
  ])('throws an error that lists the options, for %j', (args, problem) => {
    const call = () => read(...args);
    expect(call).toThrow(UsageError);
    expect(call).toThrow(problem);
    expect(call).toThrow('Options: --rounds N (default 3), --posts N (default 9), --folder …');
  });
});
