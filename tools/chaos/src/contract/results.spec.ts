import { countBy, describeCounts, isKept, renderResult, type RunResult } from './results';

describe('isKept', () => {
  it('returns true only with figures and without a breach', () => {
    expect(isKept({ figures: [['uploads', 3]], breaches: [] })).toBe(true);
    expect(isKept({ figures: [['uploads', 3]], breaches: ['abc1234 is lost'] })).toBe(false);
    expect(isKept({ figures: [], breaches: [] })).toBe(false);
  });
});

describe('renderResult', () => {
  const result: RunResult = {
    bus: 'rabbitmq',
    seed: 1,
    settings: {},
    at: '2026-11-01T00:00:00.000Z',
    machine: { cores: 2, load: 3.21 },
    seconds: 12,
    kept: true,
    figures: [['uploads answered 201', 3]],
    breaches: [],
  };

  it('prints a table under the name', () => {
    expect(renderResult('storm', result)).toBe(
      [
        '',
        'storm',
        '  bus, seed             rabbitmq, 1',
        '  seconds               12 (2 cores, load 3.2)',
        '  uploads answered 201  3',
        '  promise               kept',
        '',
        '',
      ].join('\n'),
    );
  });

  it('ends with every breach', () => {
    const text = renderResult('storm', { ...result, kept: false, breaches: ['a is lost', 'b is stuck'] });

    expect(text).toContain('promise               BROKEN: 2\n  BREACH: a is lost\n  BREACH: b is stuck\n');
  });
});

it('describes counts in the order of their names', () => {
  expect(describeCounts(countBy(['read 503', 'read 200', 'read 200']))).toBe('read 200: 2, read 503: 1');
});
