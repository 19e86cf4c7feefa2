const { dirname, relative } = require('node:path');

const ROOT = dirname(require.resolve('../../package.json'));

/** Jest's `--filter`: the test files that `npm run test:unit` runs. */
module.exports = async (paths) => {
  const { isUnit } = await import('../bin/unit-tests.mjs');
  return { filtered: paths.filter((path) => isUnit(relative(ROOT, path))) };
};
