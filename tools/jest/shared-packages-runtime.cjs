const { createRequire, isBuiltin } = require('node:module');
const { isAbsolute, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/** Test files that run processes and import only libraries made for tests, which a worker may load once as well. */
const BLACK_BOX = /[\\/](apps[\\/][^\\/]+|libs[\\/]client|tools)[\\/]test[\\/]/;

/**
 * Loads third-party packages with Node's own `require`, so that a worker evaluates each of them once and not again
 * for every test file: Nest, TypeORM and what they need take one to three seconds of CPU time. Our own code is
 * evaluated again for every test file, as Jest normally does, except for the built libraries of black-box tests.
 * Works only with `one-realm-environment.cjs`.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  requireModuleOrMock(from, moduleName) {
    return isShared(from, moduleName)
      ? createRequire(from)(moduleName)
      : super.requireModuleOrMock(from, moduleName);
  }
};

function isShared(from, name) {
  if (from.includes(PACKAGES)) return false;
  return isPackage(name) || (/^@vitrine\/(testing|client)$/.test(name) && BLACK_BOX.test(from));
}

/** Whether a file is required from a package: by the package's name, or by an absolute path inside it. */
function isPackage(name) {
  if (isAbsolute(name)) return name.includes(PACKAGES);
  return /^[^./]/.test(name) && !/^@(vitrine|jest)\//.test(name) && !isBuiltin(name);
}
