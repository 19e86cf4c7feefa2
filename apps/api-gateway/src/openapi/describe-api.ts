import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import {
  BannedResource,
  ErrorResource,
  InsufficientStorageResource,
  InvalidFieldsResource,
} from '@vitrine/contracts/api';
import { API_PREFIX } from '@vitrine/http';
import { API_VERSION } from './api-version';
import { completeDocument } from './complete-document';
import { UPLOAD_MODELS, uploadPath } from './upload-operation';
import { WEBHOOK_MODELS } from './webhook-operations';

const PREFIX = `/${API_PREFIX}`;

const DESCRIPTION = `Upload images and videos, group them into posts, and find, vote and comment on them.

Request and response bodies are JSON, except the upload request, which is \`multipart/form-data\`. Forms
(\`application/x-www-form-urlencoded\`, or \`multipart/form-data\` without files) are read too. The server ignores
unknown fields and parameters. New fields may be added to v1 at any time, so clients must ignore fields that they don't
know. Every error has a \`message\`. Requests are rate limited: see the \`X-RateLimit-*\` headers. After a 429 or a 503,
wait for the number of seconds in \`Retry-After\`.`;

export interface PublicAddresses {
  /** `{base_url}` */
  readonly api: string;
  /** `{upload_url}` */
  readonly upload: string;
  /** The website, where the operator can be reached. */
  readonly site: string;
}

/** The OpenAPI 3.1 document of the given application, with the one operation of the upload host. */
export function describeApi(app: INestApplication, { api, upload, site }: PublicAddresses): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Vitrine')
    .setDescription(DESCRIPTION)
    .setVersion(API_VERSION)
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .setContact('The operator of this site', site, '')
    .addServer(api, 'The API')
    .build();
  const scanned = SwaggerModule.createDocument(app, config, {
    autoTagControllers: false,
    extraModels: [
      ErrorResource,
      InvalidFieldsResource,
      BannedResource,
      InsufficientStorageResource,
      ...UPLOAD_MODELS,
      ...WEBHOOK_MODELS,
    ],
  });
  for (const [path, item] of Object.entries(uploadPath(PREFIX, upload))) {
    scanned.paths[path] = { ...scanned.paths[path], ...item };
  }
  return completeDocument(scanned, PREFIX);
}
