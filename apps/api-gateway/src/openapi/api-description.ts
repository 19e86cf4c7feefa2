import { createHash } from 'node:crypto';
import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { describeApi } from './describe-api';

/** The OpenAPI document of the API with the public addresses of this process. */
@Injectable()
export class ApiDescription {
  private described: { readonly document: OpenAPIObject; readonly etag: string } | undefined;

  constructor(private readonly urls: PublicUrlsConfig) {}

  /** Makes the document from the application; call it once, before the application listens. */
  readFrom(app: INestApplication): void {
    const document = describeApi(app, this.urls);
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64url');
    this.described = { document, etag: `"${digest}"` };
  }

  get document(): OpenAPIObject {
    return this.read.document;
  }

  /** A strong validator of the document, for `ETag`. */
  get etag(): string {
    return this.read.etag;
  }

  private get read(): NonNullable<ApiDescription['described']> {
    if (!this.described) throw new Error('The application hasn’t been read');
    return this.described;
  }
}
