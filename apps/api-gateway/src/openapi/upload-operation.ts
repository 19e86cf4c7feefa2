import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { UploadAnswer, UploadRequest, UrlUploadRequest } from '@vitrine/contracts/api';
import { ACCESS_EXTENSION, IDEMPOTENT_EXTENSION, UPLOAD_ACCESS } from '@vitrine/http';
import type { ScannedOperation } from './scanned-document';

/** The classes to which the operation refers. */
export const UPLOAD_MODELS = [UploadRequest, UrlUploadRequest, UploadAnswer];

const operation: ScannedOperation = {
  operationId: 'uploadMedia',
  summary: 'Upload a file',
  description:
    'Size variants are generated after the upload. Until then their URLs serve the original, or respond with 503 and `Retry-After`.',
  tags: ['media'],
  [ACCESS_EXTENSION]: UPLOAD_ACCESS,
  [IDEMPOTENT_EXTENSION]: true,
  requestBody: {
    required: true,
    content: { 'multipart/form-data': { schema: { $ref: getSchemaPath(UploadRequest) } } },
  },
  responses: {
    201: {
      description: 'The file is uploaded.',
      content: { 'application/json': { schema: { $ref: getSchemaPath(UploadAnswer) } } },
    },
    451: { description: '' },
    507: { description: '' },
  },
};

const byUrl: ScannedOperation = {
  ...operation,
  operationId: 'uploadMediaByUrl',
  summary: 'Upload a file from an address',
  description:
    'The upload host fetches the file, from public addresses only and with at most three redirects; then it is as if the caller had sent the file. The response is 403 if the site does not offer this (`upload_by_url` of `GET /site`).',
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: { $ref: getSchemaPath(UrlUploadRequest) } } },
  },
};

/**
 * The path items of uploads, which upload-service serves. They are described here because apps don't import each other;
 * upload-service's black-box suite compares the real answers with them. `uploadUrl` ends in `/media`.
 */
export function uploadPath(prefix: string, uploadUrl: string): OpenAPIObject['paths'] {
  const servers = [{ url: uploadUrl.replace(/\/media\/?$/, ''), description: 'The upload host' }];
  return {
    [`${prefix}/media`]: { post: { ...structuredClone(operation), servers } },
    [`${prefix}/media/url`]: { post: { ...structuredClone(byUrl), servers } },
  };
}
