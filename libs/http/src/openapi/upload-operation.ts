import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { UploadAnswer, UploadRequest } from '@vitrine/contracts';
import { ACCESS_EXTENSION } from '../access';
import type { ScannedOperation } from './scanned-document';

/** The resource classes that the upload's operation refers to. */
export const UPLOAD_MODELS = [UploadRequest, UploadAnswer];

const operation: ScannedOperation = {
  operationId: 'uploadMedia',
  summary: 'Upload a file',
  description:
    'The one operation on the upload host. Sized variants follow: the links in the answer work at once and give ' +
    'the original, or 503 with `Retry-After`, until they are made.',
  tags: ['media'],
  [ACCESS_EXTENSION]: { scope: 'upload', ticket: 'too' },
  requestBody: {
    required: true,
    content: { 'multipart/form-data': { schema: { $ref: getSchemaPath(UploadRequest) } } },
  },
  responses: {
    201: {
      description: 'The file is taken in.',
      content: { 'application/json': { schema: { $ref: getSchemaPath(UploadAnswer) } } },
    },
    451: { description: '' },
  },
};

/**
 * The path item of the upload, which upload-service serves and the API's document describes: apps don't know each
 * other. upload-service's black-box suite holds the real answers against it. `uploadUrl` ends in `/media`.
 */
export function uploadPath(prefix: string, uploadUrl: string): OpenAPIObject['paths'] {
  const address = uploadUrl.replace(/\/media\/?$/, '');
  const servers = [
    {
      url: '{upload_base_url}',
      description: 'The upload host',
      variables: { upload_base_url: { default: address } },
    },
  ];
  return { [`${prefix}/media`]: { post: { ...structuredClone(operation), servers } } };
}
