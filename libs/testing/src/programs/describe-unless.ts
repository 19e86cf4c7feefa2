/**
 * `describe` if nothing is missing (null). Otherwise the suite is skipped with the missing thing in its name, or fails if
 * `CI=true`, so that CI can't lose these tests unnoticed.
 */
export function describeUnless(missing: string | null, name: string, suite: () => void): void {
  if (missing === null) {
    describe(name, suite);
  } else if (process.env['CI'] === 'true') {
    it(`${name}: has what it needs`, () => {
      throw new Error(missing);
    });
  } else {
    process.stderr.write(`${name}: NOT RUN: ${missing}\n`);
    describe.skip(`${name} (NOT RUN: ${missing})`, suite);
  }
}
