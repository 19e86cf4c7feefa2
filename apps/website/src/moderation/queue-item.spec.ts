import { pagePathOf } from './queue-item';

describe('pagePathOf', () => {
  it.each([
    [{ type: 'media', target: 'abc' }, '/m/abc'],
    [{ type: 'post', target: 'abc' }, '/p/abc'],
    [{ type: 'user', target: 'ada' }, '/u/ada'],
    [{ type: 'comment', target: '12' }, '/p/abc?comment=12#c12'],
  ] as const)('%o: %s', (subject, path) => {
    expect(pagePathOf(subject, 'abc')).toBe(path);
  });
});
