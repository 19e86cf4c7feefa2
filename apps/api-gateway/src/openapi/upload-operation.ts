import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { UploadAnswer, UploadRequest } from '@vitrine/contracts/api';
import { ACCESS_EXTENSION, IDEMPOTENT_EXTENSION, UPLOAD_ACCESS } from '@vitrine/http';
import type { ScannedOperation } from './scanned-document';

/** The classes to which the operation refers. */
export const UPLOAD_MODELS = [UploadRequest, UploadAnswer];

const operation: ScannedOperation = {
  operationId: 'uploadMedia',
  summary: 'Upload a file',
  description:
    'This is the only operation on the upload host. Size variants are generated after the upload. Until then their URLs serve the original, or respond with 503 and `Retry-After`.',
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

/**
 * The path item of the upload, which upload-service serves. It is described here because apps don't import each other;
 * upload-service's black-box suite compares the real answers with it. `uploadUrl` ends in `/media`.
 */
export function uploadPath(prefix: string, uploadUrl: string): OpenAPIObject['paths'] {
  const servers = [{ url: uploadUrl.replace(/\/media\/?$/, ''), description: 'The upload host' }];
  return { [`${prefix}/media`]: { post: { ...structuredClone(operation), servers } } };
}
