import { hostname } from 'node:os';
import type { DiscoveryService } from '@nestjs/core';
import { Sweep } from '../sweeping/sweep';
import { type EffectiveSetting, settingsInEffect } from './effective-settings';

/** The settings in effect of one running process. */
export interface SettingsReport {
  /** The host, which is the pod in Kubernetes, and the number of the process. */
  readonly instance: string;
  readonly settings: readonly EffectiveSetting[];
}

/** Reports the settings in effect of this process every minute, so that admins see them. Secrets don't leave the process. */
export class SettingsReportSweep extends Sweep {
  readonly name = 'settings report';
  readonly intervalSeconds = 60;
  private readonly instance = `${hostname()}/${process.pid}`;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly send: (report: SettingsReport) => Promise<void>,
  ) {
    super();
  }

  async runOnce(): Promise<Readonly<Record<string, number>>> {
    await this.send({ instance: this.instance, settings: settingsInEffect(this.discovery) });
    return {};
  }
}
