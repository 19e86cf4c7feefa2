export { randomTokenSecret, type TestTokenKind } from './token-secret';
export { describeWithBubblewrap } from './programs/bubblewrap';
export { describeWithChromium, launchChromium } from './programs/chromium';
export { type ConfinedProgram, confine, describeWithConfinement } from './programs/confinement';
export { debianProgram, whyFileMissing, whyMissing } from './programs/debian-program';
export { describeUnless } from './programs/describe-unless';
export { type DomainContext, startDomain, useDomain } from './domain-context';
export { whoseTurnItIs } from './turn';
export { eventually, PATIENCE_MS } from './waiting/eventually';
export { untilBlocked } from './waiting/until-blocked';
export { withinSeconds } from './waiting/within-seconds';
export { type FileTrace } from './programs/file-trace';
export { describeWithFfmpeg, findFfmpeg, findFfprobe } from './programs/find-ffmpeg';
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
export {
  type IdentityProvider,
  type ProviderClient,
  ProviderVisitor,
  startIdentityProvider,
} from './identity-provider/identity-provider';
export { type GuardedServer, startGuardedServer } from './programs/guarded-server';
export { describeWithCaches, NGINX_CACHE_PURGE, startVarnish } from './servers/caches';
export { describeWithNginx, startNginx } from './servers/nginx';
export { startSendingNginx } from './servers/sending-nginx';
export { hugePng, svgBomb } from './hostile-pictures';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server';
export { noisePicture, type NoiseTexture, seededRandom } from './noise-picture';
export { type CollectedSpan, type OtlpCollector, startOtlpCollector } from './otlp-collector';
export { describeWithRabbitMq, type RabbitMqOptions, startRabbitMq, type TestRabbitMq } from './rabbitmq';
export { describeWithRedis, startRedis, type TestRedis } from './redis';
export { type PostgresProxy, reroute, startPostgresProxy } from './postgres-proxy';
export { startS3, type TestS3, type TestS3Options } from './s3';
export { EnforcedPolicy } from './s3/enforced-policy';
export type { S3Fault } from './s3/faults';
export {
  freePort,
  freePortRange,
  type ServiceOptions,
  type ServiceProcess,
  startService,
} from './service-process';
export { type ReceivedDelivery, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver';
export { borrowStack } from './stacks/borrowed-stack';
export {
  type NewPerson,
  type OwnStack,
  type Person,
  type Stack,
  type StackOptions,
  startStack,
} from './stacks/stack';
export { withEdits, withMatrix, withNames } from './phone-videos/movie-patches';
export { type ExpectedVideo, type PhoneVideo } from './phone-videos/phone-video';
export { HEAVY_VIDEOS, PHONE_VIDEOS } from './phone-videos/phone-videos';
export { PATCHES, type Rgb } from './phone-videos/test-card';
export { VideoSamples } from './phone-videos/video-samples';
export { TestNameServer } from './test-name-server';
export { createTestDatabase, type TestDatabase } from './test-database';
