import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gauge, type Registry } from 'prom-client';

/** Vitrine's version, the same in all packages of the workspace. */
export const VERSION = (
  JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }
).version;

/** Publishes service and version as a metric, so that operators can watch a rollout. */
export function announceBuild(registry: Registry, service: string): void {
  new Gauge({
    name: 'vitrine_build_info',
    help: 'Always 1; the labels name the running service and version.',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version: VERSION }, 1);
}
