import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { BannedResource, ErrorResource, InvalidFieldsResource } from '@vitrine/contracts';
import { API_PREFIX } from '../public-host';
import { completeDocument } from './complete-document';
import { UPLOAD_MODELS, uploadPath } from './upload-operation';

const PREFIX = `/${API_PREFIX}`;

const DESCRIPTION = `Images and videos: upload them, group them in posts, find them, talk about them.

Bodies are JSON but for the upload. Unknown fields and parameters are ignored; v1 only grows, so ignore fields that
you don't know. Every error has a \`message\`. Requests are counted: see the headers \`X-RateLimit-*\`, and wait for
\`Retry-After\` seconds after 429 and 503.`;

export interface PublicAddresses {
  /** `{base_url}` */
  readonly api: string;
  /** `{upload_url}` */
  readonly upload: string;
}

/** The OpenAPI 3.1 document of the API whose application is given, with the upload host's one operation. */
export function describeApi(app: INestApplication, { api, upload }: PublicAddresses): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Vitrine')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('{base_url}', 'The API', { base_url: { default: api } })
    .build();
  const scanned = SwaggerModule.createDocument(app, config, {
    autoTagControllers: false,
    extraModels: [ErrorResource, InvalidFieldsResource, BannedResource, ...UPLOAD_MODELS],
  });
  for (const [path, item] of Object.entries(uploadPath(PREFIX, upload))) {
    scanned.paths[path] = { ...scanned.paths[path], ...item };
  }
  return completeDocument(scanned, PREFIX);
}
