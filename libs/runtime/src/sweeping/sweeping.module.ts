import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Sweep } from './sweep';
import { Sweeper } from './sweeper';

/** Runs every sweep that a module of the process provides. Needs a `Registry`. */
@Module({ imports: [DiscoveryModule], providers: [Sweeper], exports: [Sweeper] })
export class SweepingModule implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly sweeper: Sweeper,
  ) {}

  onApplicationBootstrap(): void {
    const provided = this.discovery.getProviders().map(({ instance }) => instance as unknown);
    for (const sweep of new Set(provided)) if (sweep instanceof Sweep) this.sweeper.begin(sweep);
  }
}
