import { appUri, newAppSecret, printAppSecret, stepOfCode } from './one-time-code';

/** RFC 6238, appendix B, with SHA-1: the time in seconds, and the last six of the eight digits. */
const VECTORS = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
] as const;
const SECRET = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1000);

describe('codes of authenticator apps', () => {
  // Promise [accounts]: One-time codes follow RFC 6238.
  it.each(VECTORS)('match the test vector of RFC 6238 for %d', (seconds, code) => {
    expect(stepOfCode(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('are accepted one step early and late, with the step that they belong to', () => {
    for (const seconds of [30, 60, 119]) expect(stepOfCode(SECRET, '287082', at(seconds - 30))).toBe(1);
    expect(stepOfCode(SECRET, '287082', at(120))).toBeNull();
    expect(stepOfCode(SECRET, '081804', at(1111111109 - 61))).toBeNull();
  });

  it('are refused if they are not six digits', () => {
    for (const code of ['', '28708', '94287082', ' 287082', '2870 82', '２８７０８２', '-87082', '287082\n'])
      expect(stepOfCode(SECRET, code, at(59))).toBeNull();
  });

  it('have secrets of 160 random bits, in the forms that apps read', () => {
    const [one, two] = [newAppSecret(), newAppSecret()];
    expect(one).toHaveLength(20);
    expect(one.equals(two)).toBe(false);
    expect(printAppSecret(SECRET)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(appUri(SECRET, 'example.org', 'ada')).toBe(
      'otpauth://totp/example.org:ada?issuer=example.org&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30',
    );
  });
});
