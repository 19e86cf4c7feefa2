export { type DomainContext, startDomain } from './domain-context';
export { eventually } from './eventually';
export { forkTypeScript } from './fork-typescript';
export { describeWithRabbitMq, startRabbitMq, type TestRabbitMq } from './rabbitmq';
export { freePort, type ServiceOptions, type ServiceProcess, startService } from './service-process';
export { createTestDatabase, type TestDatabase } from './test-database';
