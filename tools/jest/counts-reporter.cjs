const { writeFileSync } = require('node:fs');

/** Writes how many tests passed, failed and were skipped to the file that `VITRINE_TEST_COUNTS` names. */
module.exports = class CountsReporter {
  onRunComplete(_contexts, results) {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } =
      results;
    const counts = {
      passed: numPassedTests,
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: numPendingTests + numTodoTests,
    };
    writeFileSync(process.env.VITRINE_TEST_COUNTS, JSON.stringify(counts));
  }
};
