import { Global, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { provideConfig } from './config/provide-config';
import { RuntimeConfig } from './config/runtime.config';
import { Health } from './management/health';
import { ManagementServer } from './management/management-server';
import { SweepingModule } from './sweeping/sweeping.module';
import { TracingConfig } from './tracing/tracing.config';

/** Configuration, health, metrics and sweeps; every process imports it once. */
@Global()
@Module({
  imports: [SweepingModule],
  providers: [
    provideConfig(RuntimeConfig),
    provideConfig(TracingConfig),
    Health,
    ManagementServer,
    { provide: Registry, useFactory: () => new Registry() },
  ],
  exports: [RuntimeConfig, Health, Registry, SweepingModule],
})
export class RuntimeModule {}
