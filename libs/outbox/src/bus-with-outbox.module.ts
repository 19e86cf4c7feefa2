import { type DynamicModule, Module } from '@nestjs/common';
import { MessageTransport, MessagingModule, type MessagingOptions } from '@vitrine/messaging';
import { BusReportModule } from './bus-report/bus-report.module';
import { BusReportRepository } from './bus-report/bus-report.repository';
import { BusReportSweep } from './bus-report/bus-report.sweep';
import { createTransport } from './create-transport';
import { OutboxModule } from './outbox/outbox.module';
import { OutboxRelay } from './relay/outbox-relay';

/** The bus for a process with a database: `MessagingModule` on either transport, and a relay of the outbox. */
@Module({})
export class BusWithOutboxModule {
  static forRoot(options: Pick<MessagingOptions, 'service' | 'consumes'>): DynamicModule {
    return {
      module: BusWithOutboxModule,
      imports: [BusReportModule, OutboxModule, MessagingModule.forRoot({ ...options, createTransport })],
      providers: [
        OutboxRelay,
        {
          provide: BusReportSweep,
          inject: [MessageTransport, BusReportRepository],
          useFactory: (transport: MessageTransport, reports: BusReportRepository) =>
            new BusReportSweep(transport, reports, options.service),
        },
      ],
      exports: [OutboxRelay],
    };
  }
}
