import { Gauge, type Registry } from 'prom-client';
import { VERSION } from './version';

/** Tells which service of which version answers, so that a roll-out can be watched. */
export function announceBuild(registry: Registry, service: string): void {
  new Gauge({
    name: 'vitrine_build_info',
    help: 'Always 1; the labels say what runs.',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version: VERSION }, 1);
}
