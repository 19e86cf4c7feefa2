export {
  type AccessRule,
  Authenticated,
  CurrentAdmission,
  CurrentAgent,
  CurrentCaller,
  CurrentViewer,
  MayLag,
  Public,
} from './access';
export type { Admission } from './admission';
export { RequestClients, SITE_KEY_HEADER, VISITOR_AGENT_HEADER, VISITOR_HEADER } from './request-clients';
export {
  CurrentAddress,
  type EnvelopeOptions,
  type PagePosition,
  presentPage,
  presentPosition,
  type RequestedAddress,
} from './envelope';
export { answerTo, type ErrorAnswer } from './error-answer';
export { HttpConfig } from './http.config';
export { HttpModule } from './http.module';
export { type CallerKey, Idempotency } from './idempotency/idempotency';
export { ReadsOwnBody } from './idempotency/keep-posts';
export { IdempotencyModule } from './idempotency/idempotency.module';
export { canonicalParts, type PartDigest, requestDigest } from './idempotency/idempotency.rules';
export { type Lane, Overload } from './overload';
export { API_PREFIX, buildPublicHost, listenPublicly, type PublicHostOptions } from './public-host';
export { Answers, AnswersData, AnswersDataWithPages, AnswersPage } from './openapi/answers';
export { describeApi, type PublicAddresses } from './openapi/describe-api';
export { IdPipe } from './request.pipe';
