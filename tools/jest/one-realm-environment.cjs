const { AsyncLocalStorage } = require('node:async_hooks');
const { dirname, join } = require('node:path');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** What Jest receives as the context in which it compiles a module; it represents the worker's own realm. */
const OWN_REALM = {};
const { compileFunction } = vm;
// Needed to run at all: Jest compiles modules in the context of the environment, and this one has no context.
vm.compileFunction = (code, params, { parsingContext, ...options } = {}) =>
  compileFunction(code, params, parsingContext === OWN_REALM ? options : { ...options, parsingContext });

/**
 * The storages that the test file has used. Until it is disabled, each makes every promise of the process slower, and our
 * modules create new ones for every test file: 1.6 s of processor time in the first 8 files of a worker, more in later ones.
 */
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

/** Nest's TypeORM keeps the entities of all modules of the process, and with them the code of each test file: memory, not time. */
function forgetEntities() {
  const index = require.resolve('@nestjs/typeorm');
  if (!require.cache[index]) return;
  require(join(dirname(index), 'entities-metadata.storage.js')).EntitiesMetadataStorage.storage.clear();
}

/**
 * Runs test files in the worker's own realm, so that the packages which the worker has loaded once
 * (`shared-packages-runtime.cjs`) use the same `Error` and `Array` as the code under test. After each file, the
 * environment variables, globals, timers and spies are as they were before it.
 */
module.exports = class OneRealmEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ global: globalThis, config: projectConfig });
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    Error.stackTraceLimit = 100;
  }

  async setup() {
    this.env = { ...process.env };
    this.names = new Set(Reflect.ownKeys(globalThis));
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const storage of storages) storage.disable();
    storages.clear();
    forgetEntities();
    // TypeORM's option `parseInt8` is a default of `pg` for the whole process.
    const pg = require.cache[require.resolve('pg')]?.exports;
    if (pg) pg.defaults.parseInt8 = false;
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name];
    Object.assign(process.env, this.env);
    // Jest keeps its event handlers under a symbol: with those of all earlier files, a worker would slow down.
    for (const name of Reflect.ownKeys(globalThis)) {
      if (!this.names.has(name)) Reflect.deleteProperty(globalThis, name);
    }
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return OWN_REALM;
  }
};
