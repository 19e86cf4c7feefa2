export { createTestDatabase, type TestDatabase } from './test-database';
export { freePort, type ServiceOptions, type ServiceProcess, startService } from './service-process';
