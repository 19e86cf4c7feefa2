export { describeWithChromium, launchChromium } from './chromium';
export { type ConfinedProgram, confine, describeWithConfinement } from './confinement';
export { describeUnless } from './describe-unless';
export { type DomainContext, startDomain } from './domain-context';
export { eventually } from './eventually';
export { type FileTrace } from './file-trace';
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
export { type CollectedSpan, type OtlpCollector, startOtlpCollector } from './otlp-collector';
export { describeWithRabbitMq, type RabbitMqOptions, startRabbitMq, type TestRabbitMq } from './rabbitmq';
export { describeWithRedis, startRedis, type TestRedis } from './redis';
export { startS3, type TestS3, type TestS3Options } from './s3';
export type { S3Fault } from './s3/faults';
export { freePort, type ServiceOptions, type ServiceProcess, startService } from './service-process';
export { type NewPerson, type Person, type Stack, type StackOptions, startStack } from './stack';
export { createTestDatabase, type TestDatabase } from './test-database';
