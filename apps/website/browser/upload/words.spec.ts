import { clockTime, sizeInWords, stateInWords } from './words';

describe('what is said of a file', () => {
  it('gives its size as the limit is given', () => {
    expect([0, 1, 1023, 1024, 1_500_000, 104_857_600].map(sizeInWords)).toEqual([
      '0 bytes',
      '1 byte',
      '1023 bytes',
      '1 KB',
      '1.4 MB',
      '100.0 MB',
    ]);
  });

  it('tells how far it is, and that the service has a look when all has left', () => {
    const file = { name: 'a.jpg', size: 2048, modified: 0 };
    const item = { id: 1, key: 'k', tries: 0, file };
    const at = (sent: number, total: number): string =>
      stateInWords({ ...item, stage: { name: 'sending', attempt: 1, sent, total } });
    expect([at(0, 0), at(0, 2200), at(1099, 2200), at(2200, 2200)]).toEqual([
      '0% of 2 KB',
      '0% of 2 KB',
      '49% of 2 KB',
      'Being checked',
    ]);
    const waiting = { name: 'waiting', notBefore: 0 } as const;
    expect(stateInWords({ ...item, stage: waiting })).toBe('Waiting · 2 KB');
    expect(stateInWords({ ...item, tries: 2, stage: waiting })).toBe('Trying again in a moment');
  });

  it('names the day of a moment that is not today', () => {
    const noon = new Date(2026, 0, 30, 12).getTime();
    expect(clockTime(noon + 3_600_000, noon)).toMatch(/^at /);
    expect(clockTime(noon + 86_400_000, noon)).toMatch(/^on \S+ at /);
  });
});
