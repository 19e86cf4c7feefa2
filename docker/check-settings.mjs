// check-settings.mjs FILE: fails if the environment, which is docker/.env, has a name that the Compose file doesn't use.
import { readFileSync } from 'node:fs';

const used = new Set(
  [...readFileSync(process.argv[2], 'utf8').matchAll(/\$\{(\w+)/g)].map(([, name]) => name),
);
/** What images and Compose set, its proxies included, and names for files of the operator's own. */
const OTHERS =
  /^(?:PATH|HOME|HOSTNAME|PWD|SHLVL|_|TERM|NODE_\w+|YARN_VERSION|VITRINE_DATA_DIR|(?:COMPOSE|DOCKER|BUILDKIT|LOCAL)_\w+|\w+_(?:PROXY|proxy))$/;

const unknown = Object.keys(process.env).filter((name) => !used.has(name) && !OTHERS.test(name));
if (unknown.length > 0) {
  process.stderr.write(
    `docker/.env sets what docker/compose.yaml doesn't use: ${unknown.join(', ')}. Correct or remove these lines; names ` +
      'for Compose files of your own begin with LOCAL_.\n',
  );
  process.exitCode = 1;
}
