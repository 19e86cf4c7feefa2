export { BusRequests } from './bus-report/bus-requests';
export { BusReportModule } from './bus-report/bus-report.module';
export type { QueueReport } from './bus-report/bus-report.repository';
export { BusReportSweep } from './bus-report/bus-report.sweep';
export { BusWithOutboxModule } from './bus-with-outbox.module';
export { createTransport } from './create-transport';
export { Outbox } from './outbox/outbox';
export { OutboxModule } from './outbox/outbox.module';
