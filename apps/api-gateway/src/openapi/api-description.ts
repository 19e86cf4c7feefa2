import { createHash } from 'node:crypto';
import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';

/** The API's OpenAPI document under this process's public addresses. */
@Injectable()
export class ApiDescription {
  private described: { readonly document: OpenAPIObject; readonly etag: string } | undefined;

  constructor(private readonly urls: PublicUrlsConfig) {}

  /** Reads the document off the application: once, before it listens. */
  readFrom(app: INestApplication): void {
    const document = describeApi(app, this.urls);
    const digest = createHash('sha256').update(JSON.stringify(document)).digest('base64url');
    this.described = { document, etag: `"${digest}"` };
  }

  get document(): OpenAPIObject {
    return this.read.document;
  }

  /** A strong validator of the document. */
  get etag(): string {
    return this.read.etag;
  }

  private get read(): NonNullable<ApiDescription['described']> {
    if (!this.described) throw new Error('The application hasn’t been read');
    return this.described;
  }
}
