const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * Writes to the file that `VITRINE_TEST_COUNTS` names, for each test file by its path: how many tests passed and were
 * skipped, the names of those that failed, and how many seconds it took. A failure outside of any test is named so.
 */
module.exports = class CountsReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults.map(
      ({ testFilePath, testExecError, testResults: tests, perfStats, ...counts }) => {
        const failures = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
        const outside = testExecError || (counts.failureMessage && failures.length === 0);
        return [
          relative(this.rootDir, testFilePath),
          {
            passed: counts.numPassingTests,
            skipped: counts.numPendingTests + counts.numTodoTests,
            seconds: perfStats.runtime / 1000,
            failures: outside ? [...failures, 'outside of its tests'] : failures,
          },
        ];
      },
    );
    writeFileSync(process.env.VITRINE_TEST_COUNTS, JSON.stringify(Object.fromEntries(files)));
  }
};
