export { describeWithChromium, launchChromium } from './chromium';
export { type DomainContext, startDomain } from './domain-context';
export { eventually } from './eventually';
export { findFfmpeg } from './find-ffmpeg';
export { forkTypeScript } from './fork-typescript';
export { type ObservedResponse, OpenApiCheck } from './openapi-check';
export {
  type ApiHost,
  type DocumentedOperation,
  documentedOperations,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiSchema,
  readOpenApi,
} from './openapi-document';
export { noisePicture, type NoiseTexture, seededRandom } from './noise-picture';
export { describeWithRabbitMq, startRabbitMq, type TestRabbitMq } from './rabbitmq';
export { describeWithRedis, startRedis, type TestRedis } from './redis';
export { freePort, type ServiceOptions, type ServiceProcess, startService } from './service-process';
export { type NewPerson, type Person, type Stack, type StackOptions, startStack } from './stack';
export { createTestDatabase, type TestDatabase } from './test-database';
