import { feedMark, readFeedMark } from './feed-mark';

describe('feedMark', () => {
  it.each([
    [{}, ''],
    [{ sort: 'top', period: 'week' }, 'top-week'],
    [{ sort: 'followed' }, 'followed'],
    [{ tag: 'straße am, meer: t:x' }, 't:straße am, meer: t:x'],
    [{ sort: 'rising', tag: 'cats' }, 'rising,t:cats'],
    [{ username: 'ada' }, 'u:ada'],
    [{ collection: 'saved' }, 'c:saved'],
    [{ sort: 'top', period: 'year', q: 'top,c:\n“a”' }, 'top-year,q:top,c:\n“a”'],
  ] as const)('writes %j as %j, which can be read back', (feed, mark) => {
    expect(feedMark(feed)).toBe(mark);
    expect(readFeedMark(mark)).toEqual(feed);
  });

  it.each([undefined, ['top', 'top'], 'best', 'top-century', `t:${'x'.repeat(201)}`, 'x:y', '__proto__'])(
    'reads %j as the latest posts',
    (mark) => expect(readFeedMark(mark)).toEqual({}),
  );
});
