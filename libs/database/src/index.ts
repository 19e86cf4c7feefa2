export { DatabaseConfig } from './connections/database.config';
export { DatabaseModule } from './database.module';
export { grantRows } from './migrate/grant-rows';
export { adoptBaseline, OLD_STEPS } from './migrate/adopt-baseline';
export { readSchemaState, runMigrations } from './migrate/migrate';
export type { Migration } from './migrate/migration';
export { type ProcessReport, ProcessSettings } from './process-settings/process-settings';
export { ProcessSettingsModule } from './process-settings/process-settings.module';
export {
  Database,
  endingTransactionsWith,
  hiddenFromPlanner,
  isRefusalOfValues,
  runLastStatement,
  Transaction,
  violatedUniqueConstraint,
} from './access/database';
export { CommitUnansweredError } from './access/commits';
export { withClient } from './connections/connections';
