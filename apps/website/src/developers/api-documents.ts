import { Injectable, Logger } from '@nestjs/common';
import type { VitrineClient } from '@vitrine/client';
import { type ApiReference, type OpenApi, readReference } from './open-api';

/** Time in milliseconds after which the document is fetched again. */
const FRESH_MS = 5 * 60_000;

/** Holds the API's OpenAPI document for all visitors. If fetching a new one fails, the previous one stays in use. */
@Injectable()
export class ApiDocuments {
  private readonly logger = new Logger(ApiDocuments.name);
  private known: { readonly reference: ApiReference; readonly at: number } | null = null;
  private asked: Promise<ApiReference> | null = null;

  /** Throws `VitrineError` if no document could be fetched so far. */
  async find(client: VitrineClient): Promise<ApiReference> {
    if (this.known && performance.now() - this.known.at < FRESH_MS) return this.known.reference;
    this.asked ??= this.ask(client).finally(() => (this.asked = null));
    if (!this.known) return this.asked;
    const { reference } = this.known;
    return this.asked.catch((error: unknown) => {
      this.logger.warn(`Fetching the API document failed; showing the previous one: ${String(error)}`);
      return reference;
    });
  }

  private async ask(client: VitrineClient): Promise<ApiReference> {
    const document = await client.openApi();
    // The client's type of this response is only `object`.
    const reference = readReference(document as object as OpenApi);
    this.known = { reference, at: performance.now() };
    return reference;
  }
}
