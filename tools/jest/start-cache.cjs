const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join, resolve } = require('node:path');
const { deserialize, serialize } = require('node:v8');
const performanceHooks = require('node:perf_hooks');
const vm = require('node:vm');
const { isMainThread } = require('node:worker_threads');

/**
 * Preloaded by the services and the admin tool that tests start. Loading its 2,000 modules is most of a service's start.
 * The first process of each of them that ends writes down where each `require` led, the sources, and V8's compiled
 * code; the later ones load the same modules from this file. ES modules (Nest's) are loaded as CommonJS, as Jest loads
 * our own.
 *
 * The folder belongs to one test run, so that nothing in it can be out of date. Services that are started with
 * `npm start`, and those of the suite of the images, load their modules in Node’s own way.
 */
const folder = process.env.VITRINE_TEST_START_CACHE;
delete process.env.VITRINE_TEST_START_CACHE;
// What the service forks starts as it does without tests.
process.execArgv = [];
if (folder && isMainThread) {
  useCache(folder);
  sampleRarely();
}

function useCache(folder) {
  const main = resolve(process.argv[1]);
  const file = join(folder, `${basename(dirname(dirname(main)))}.cache`);
  const known = read(file);
  /** Where each request led, by the requiring file and the request. */
  const paths = known?.paths ?? new Map();
  /** By path: the code that runs, V8's compiled code, and whether it was an ES module. */
  const modules = known?.modules ?? new Map();
  const scripts = new Map();

  const { _resolveFilename } = Module;
  Module._resolveFilename = function (request, parent, isMain, options) {
    if (options || !parent?.filename || Module.isBuiltin(request)) {
      return _resolveFilename.call(this, request, parent, isMain, options);
    }
    const key = `${request.startsWith('.') ? dirname(parent.filename) : parent.filename}\n${request}`;
    let path = paths.get(key);
    if (path === undefined) {
      path = _resolveFilename.call(this, request, parent, isMain, options);
      paths.set(key, path);
    }
    return path;
  };

  const loadInNodesWay = Module._extensions['.js'];
  const load = (module, path) => {
    let entry = modules.get(path);
    if (!entry) {
      entry = prepare(path);
      modules.set(path, entry);
    }
    // V8's compiled code does not know how to run `import()`.
    if (!entry.isEsm && /\bimport\(/.test(entry.code)) return loadInNodesWay(module, path);
    const script = new vm.Script(Module.wrap(entry.code), { filename: path, cachedData: entry.compiled });
    if (!known) scripts.set(path, script);
    const require = (request) => module.require(request);
    require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
    Object.assign(require, {
      main: process.mainModule,
      cache: Module._cache,
      extensions: Module._extensions,
    });
    const imported = (request) => importedExports(module, request, modules);
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, entry.isEsm ? imported : require, module, path, dirname(path));
  };
  Module._extensions['.js'] = Module._extensions['.mjs'] = load;

  if (known) return;
  process.once('exit', (status) => {
    // A run that was interrupted has removed its files already.
    if (status !== 0 || !existsSync(dirname(folder))) return;
    for (const [path, script] of scripts) modules.get(path).compiled = script.createCachedData();
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${file}.${process.pid}`, serialize({ paths, modules }));
    renameSync(`${file}.${process.pid}`, file);
  });
}

/**
 * A service measures the delay of its event loop every 10 ms, half of what an idle service costs; a run keeps a dozen
 * services that mostly wait. No test reads the value.
 */
function sampleRarely() {
  const { monitorEventLoopDelay } = performanceHooks;
  performanceHooks.monitorEventLoopDelay = (options) =>
    monitorEventLoopDelay({ ...options, resolution: 250 });
}

function read(file) {
  try {
    return deserialize(readFileSync(file));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function prepare(path) {
  const code = readFileSync(path, 'utf8').replace(/^#!.*/, '');
  if (!isEsm(path)) return { code, isEsm: false };
  const { transformSync } = require('@swc/core');
  const result = transformSync(code, {
    filename: path,
    swcrc: false,
    configFile: false,
    sourceMaps: false,
    module: { type: 'commonjs', strict: false },
    jsc: { target: 'es2023', parser: { syntax: 'ecmascript' }, externalHelpers: false },
  });
  return { code: result.code, isEsm: true };
}

function isEsm(path) {
  if (/\.[cm]js$/.test(path)) return path.endsWith('.mjs');
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    try {
      return JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')).type === 'module';
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return false;
}

const namespaces = new WeakMap();

/** What an ES module imports: of a CommonJS module, `default` is all that it exports. */
function importedExports(module, request, modules) {
  const exported = module.require(request);
  if (exported === null || !['object', 'function'].includes(typeof exported)) {
    return { __esModule: true, default: exported };
  }
  if (exported.__esModule && modules.get(Module._resolveFilename(request, module))?.isEsm) return exported;
  let namespace = namespaces.get(exported);
  if (!namespace) {
    namespace = Object.create(exported);
    for (const name of Object.keys(exported).filter((name) => name !== 'default')) {
      Object.defineProperty(namespace, name, { get: () => exported[name], enumerable: true });
    }
    Object.defineProperty(namespace, '__esModule', { value: true });
    Object.defineProperty(namespace, 'default', { value: exported, enumerable: true });
    namespaces.set(exported, namespace);
  }
  return namespace;
}
