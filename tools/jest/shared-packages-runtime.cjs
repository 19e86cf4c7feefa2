const { createRequire, isBuiltin } = require('node:module');
const { isAbsolute, sep } = require('node:path');
const { default: Runtime } = require('jest-runtime');

const PACKAGES = `${sep}node_modules${sep}`;

/**
 * Loads third-party packages with Node's own `require`, so that a worker evaluates each of them once and not again
 * for every test file: Nest, TypeORM and what they need take one to three seconds of CPU time. Our own code is
 * evaluated afresh for every test file, as Jest does it. Works only with `one-realm-environment.cjs`.
 */
module.exports = class SharedPackagesRuntime extends Runtime {
  requireModuleOrMock(from, moduleName) {
    return isPackage(moduleName) && !from.includes(PACKAGES)
      ? createRequire(from)(moduleName)
      : super.requireModuleOrMock(from, moduleName);
  }
};

/** Whether a file is required from a package: by the package's name, or by an absolute path inside it. */
function isPackage(name) {
  if (isAbsolute(name)) return name.includes(PACKAGES);
  return /^[^./]/.test(name) && !/^@(vitrine|jest)\//.test(name) && !isBuiltin(name);
}
