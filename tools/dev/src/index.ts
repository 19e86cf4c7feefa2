export { currentHolder } from './data-folder/data-folder-lock';
export { postgresFolder } from './embedded-postgres/postgres-folder';
export { startReplicatedPostgres } from './embedded-postgres/test-replication';
export { startTestPostgres } from './embedded-postgres/test-postgres';
export { LogLines } from './supervisor/log-lines';
export { SERVICE_NAMES, STREAMING_ENVIRONMENT } from './supervisor/services';
export { LOG_NAMES, Supervisor } from './supervisor/supervisor';
export { SupervisorConfig } from './supervisor/supervisor.config';
