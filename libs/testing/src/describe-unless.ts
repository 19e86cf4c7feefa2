/**
 * `describe` where nothing is missing (null). Elsewhere the suite is skipped with what is missing in its name, and fails
 * where `CI=true`, so that CI can't lose these tests unnoticed.
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
