const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * Writes one entry for each test file, by its path, to the file that `VITRINE_TEST_COUNTS` names: how many tests passed
 * and were skipped, and the names of those that failed. A failure outside of any test has a separate entry.
 */
module.exports = class CountsReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const files = testResults.map(({ testFilePath, testExecError, testResults: tests, ...counts }) => {
      const failures = tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
      const outside = testExecError || (counts.failureMessage && failures.length === 0);
      return [
        relative(this.rootDir, testFilePath),
        {
          passed: counts.numPassingTests,
          skipped: counts.numPendingTests + counts.numTodoTests,
          failures: outside ? [...failures, 'outside of its tests'] : failures,
        },
      ];
    });
    writeFileSync(process.env.VITRINE_TEST_COUNTS, JSON.stringify(Object.fromEntries(files)));
  }
};
