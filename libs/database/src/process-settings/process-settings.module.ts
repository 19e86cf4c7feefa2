import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { SettingsReportSweep } from '@vitrine/runtime';
import { ProcessSettings } from './process-settings';

/** Reports the settings in effect of a process with a database, and finds those of all. */
@Module({})
export class ProcessSettingsModule {
  /** `service` names the process. */
  static forService(service: string): DynamicModule {
    return {
      module: ProcessSettingsModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        ProcessSettings,
        {
          provide: SettingsReportSweep,
          inject: [ProcessSettings, DiscoveryService],
          useFactory: (reports: ProcessSettings, discovery: DiscoveryService) =>
            new SettingsReportSweep(discovery, (report) => reports.report({ process: service, ...report })),
        },
      ],
      exports: [ProcessSettings],
    };
  }
}
