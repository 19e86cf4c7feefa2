// Reads environments by "overlay/process" as JSON from standard input. Writes as JSON, on the last line of standard
// output, what each process would report at its start, and the settings that it reads. Loads the built apps as they start.
import { createRequire } from 'node:module';
import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = resolve(import.meta.dirname, '../../..');
const load = createRequire(import.meta.url);
const { checkConfigs, configsOf, declaredSettings, loadConfig, ConfigurationError, RuntimeConfig } = load(
  join(ROOT, 'libs/runtime/dist/index.js'),
);

/** The configuration classes that a process reads. */
function classesOf(process) {
  if (process === 'declare-queues')
    return [load(join(ROOT, 'libs/messaging/dist/options/messaging.config.js')).MessagingConfig];
  if (process === 'migrate')
    return [load(join(ROOT, 'libs/database/dist/connections/database.config.js')).DatabaseConfig];
  const dist = join(ROOT, 'apps', process, 'dist');
  const file = readdirSync(dist, { recursive: true }).find(
    (path) => basename(path) === `${process}.module.js`,
  );
  const module = Object.values(load(join(dist, file))).find((it) => typeof it === 'function');
  return [RuntimeConfig, ...configsOf(module)];
}

/** The names that the classes ask the environment for. */
function settingsOf(classes) {
  const asked = new Set();
  const listening = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  for (const type of classes) {
    try {
      loadConfig(type, listening);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
    }
  }
  return [...asked];
}

function check(process, environment) {
  const classes = classesOf(process);
  try {
    const doubts = checkConfigs(classes, environment);
    return { problems: [], doubts, settings: settingsOf(classes) };
  } catch (error) {
    return { problems: [error.message], doubts: [], settings: settingsOf(classes) };
  }
}

/** The operator's tool reads what its commands ask for: any setting. */
function declareAll() {
  for (const lib of readdirSync(join(ROOT, 'libs'))) {
    const dist = join(ROOT, 'libs', lib, 'dist');
    const files = lib === 'client' ? [] : readdirSync(dist, { recursive: true });
    for (const file of files) if (file.endsWith('.config.js')) load(join(dist, file));
  }
  return declaredSettings().map(({ env }) => env);
}

const environments = JSON.parse(await text(process.stdin));
const checked = Object.entries(environments).map(([key, environment]) => [
  key,
  check(key.split('/')[1], environment),
]);
globalThis.process.stdout.write(
  JSON.stringify({ processes: Object.fromEntries(checked), declared: declareAll() }),
);
