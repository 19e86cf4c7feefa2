import { clockTime, sizeInWords, stateLabel } from './labels';

describe('labels of files', () => {
  it('formats sizes with 1 MB as 1,048,576 bytes', () => {
    expect([0, 1, 1023, 1024, 1_500_000, 104_857_600].map(sizeInWords)).toEqual([
      '0 bytes',
      '1 byte',
      '1023 bytes',
      '1 KB',
      '1.4 MB',
      '100.0 MB',
    ]);
  });

  it('show the progress, and "Being checked" when all bytes are sent', () => {
    const file = { name: 'a.jpg', size: 2048, modified: 0 };
    const item = { id: 1, key: 'k', failedAttempts: 0, file };
    const at = (sent: number, total: number): string =>
      stateLabel({ ...item, stage: { name: 'sending', attempt: 1, sent, total } });
    expect([at(0, 0), at(0, 2200), at(1099, 2200), at(2200, 2200)]).toEqual([
      '0% of 2 KB',
      '0% of 2 KB',
      '49% of 2 KB',
      'Being checked',
    ]);
    const waiting = { name: 'waiting', notBefore: 0 } as const;
    expect(stateLabel({ ...item, stage: waiting })).toBe('Waiting · 2 KB');
    expect(stateLabel({ ...item, failedAttempts: 2, stage: waiting })).toBe('Trying again in a moment');
  });

  it('clockTime names the weekday of a time that is not today', () => {
    const noon = new Date(2026, 0, 30, 12).getTime();
    expect(clockTime(noon + 3_600_000, noon)).toMatch(/^at /);
    expect(clockTime(noon + 86_400_000, noon)).toMatch(/^on \S+ at /);
  });
});
