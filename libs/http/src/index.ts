export {
  ACCESS_EXTENSION,
  type AccessRule,
  assertAccess,
  Authenticated,
  CREATE_POST_ACCESS,
  CurrentAccess,
  CurrentAgent,
  CurrentCaller,
  CurrentViewer,
  MayLag,
  Public,
  UPLOAD_ACCESS,
} from './access/access';
export type { RequestAccess } from './access/request-access';
export { recordCredential } from './access/identification';
export { readFormFields } from './bodies/form-body';
export { ReadsOwnBody } from './bodies/json-body.guard';
export { IdPipe } from './bodies/request.pipe';
export { UnexpectedBodyError } from './bodies/unexpected-body-error';
export { RequestClients } from './clients/request-clients';
export { API_PREFIX } from './config/api-prefix';
export { HttpConfig } from './config/http.config';
export { answerTo, type ErrorAnswer, methodNotAllowed } from './errors/error-answer';
export { type ErrorShape, recordErrorShape } from './errors/error-shape';
export { sendError } from './errors/send-error';
export { HttpModule } from './host/http.module';
export { buildPublicHost } from './host/public-host';
export { SECURITY_HEADERS, transportSecurity } from './host/public-host';
export { type CallerKey, Idempotency } from './idempotency/idempotency';
export { canonicalParts, type PartDigest, requestDigest } from './idempotency/idempotency.rules';
export { IDEMPOTENT_EXTENSION, IdempotentPost } from './idempotency/idempotency.interceptor';
export { HeldRequests, HoldServices } from './overload/held-requests';
export { type RequestLane, Overload } from './overload/overload';
export { CurrentAddress, presentPage, presentPosition, type RequestedAddress } from './paging/envelope';
export { ThrottleFailures, ThrottleRequests } from './throttling/route-limits';
export { presentAuthor } from './presenters/author.presenter';
export { mediaLocation, presentMedia } from './presenters/media.presenter';
export {
  postLocation,
  presentPost,
  presentListedPost,
  presentCreatedPost,
  presentPostUpdate,
} from './presenters/post.presenter';
