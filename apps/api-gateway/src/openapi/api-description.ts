import { createHash } from 'node:crypto';
import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { PublicUrlsConfig } from '@vitrine/runtime';
import { describeApi } from './describe-api';

interface Description {
  readonly document: OpenAPIObject;
  readonly etag: string;
}

/** The OpenAPI document of the API with the public addresses of this process. */
@Injectable()
export class ApiDescription {
  private app: INestApplication | undefined;
  private described: Description | undefined;

  constructor(private readonly urls: PublicUrlsConfig) {}

  /** Names the application to describe; call it once, before the application listens. */
  readFrom(app: INestApplication): void {
    this.app = app;
  }

  /** The document is made for the first request that reads it: it takes a tenth of the time of a start. */
  get document(): OpenAPIObject {
    return this.read.document;
  }

  /** A strong validator of the document, for `ETag`. */
  get etag(): string {
    return this.read.etag;
  }

  private get read(): Description {
    if (!this.app) throw new Error('No application to describe');
    this.described ??= describe(this.app, this.urls);
    return this.described;
  }
}

function describe(app: INestApplication, urls: PublicUrlsConfig): Description {
  const document = describeApi(app, urls);
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64url');
  return { document, etag: `"${digest}"` };
}
