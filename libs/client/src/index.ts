export type { components, operations } from './api/api-types';
export type { ByteStream } from './upload/multipart';
export { SecondFactorRequiredError } from './resources/auth';
export type { Page } from './lists/pages';
export type { WaitOptions } from './resources/media';
export type { RetryOptions } from './transport/retry';
export type {
  AnswerOf,
  BodyOf,
  CallOptions,
  Fetch,
  FetchedAnswer,
  OperationId,
  QueryOf,
} from './transport/transport';
export type * from './api/types';
export type {
  PostUploadOptions,
  StreamedFile,
  UploadOptions,
  UploadProgress,
  UploadSource,
} from './upload/upload';
export { Uploader } from './upload/uploader';
export { VitrineClient, type VitrineClientOptions } from './vitrine-client';
export { UnaddressableError, VitrineError, type VitrineErrorCode } from './transport/vitrine-error';
