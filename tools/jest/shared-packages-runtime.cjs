const { createRequire, isBuiltin } = require('node:module');
const { isAbsolute, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/** Test files that run processes and import only libraries made for tests, which a worker may load once as well. */
const BLACK_BOX = /[\\/](apps[\\/][^\\/]+|libs[\\/]client|tools)[\\/]test[\\/]/;

/**
 * Loads third-party packages with Node's own `require`, so that a worker evaluates each of them once and not again for
 * every test file. Nest consists of ES modules, which Jest itself can `require` only with Node 24.9 or later. Works only with `one-realm-environment.cjs`. Our own code is evaluated again for every test file, as
 * Jest normally does, except for the built libraries of black-box tests.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    return isShared(from, name) ? createRequire(from)(name) : super.requireModuleOrMock(from, name);
  }
};

function isShared(from, name) {
  if (from.includes(PACKAGES)) return false;
  if (isAbsolute(name)) return name.includes(PACKAGES);
  if (/^@vitrine\//.test(name)) return /\/(testing|client)$/.test(name) && BLACK_BOX.test(from);
  return /^[^./]/.test(name) && !name.startsWith('@jest/') && !isBuiltin(name);
}
