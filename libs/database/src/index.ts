export { DatabaseConfig } from './connections/database.config';
export { DatabaseModule } from './database.module';
export { grantRows } from './migrate/grant-rows';
export { adoptBaseline, OLD_STEPS } from './migrate/adopt-baseline';
export { readSchemaState, runMigrations } from './migrate/migrate';
export type { Migration } from './migrate/migration';
export { type ProcessReport, ProcessSettings } from './process-settings/process-settings';
export { ProcessSettingsModule } from './process-settings/process-settings.module';
export { PreparedReads, hiddenFromPlanner } from './reads/prepared-reads';
export {
  endingTransactionsWith,
  isRefusalOfValues,
  runLastStatement,
  Transaction,
  TransactionRunner,
  violatedUniqueConstraint,
} from './transactions/transaction-runner';
export { withClient } from './connections/with-client';
