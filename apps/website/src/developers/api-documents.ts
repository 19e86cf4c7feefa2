import { Injectable, Logger } from '@nestjs/common';
import type { VitrineClient } from '@vitrine/client';
import { type ApiReference, type OpenApi, readReference } from './open-api';

/** How long a document is shown before the API is asked for it again. */
const FRESH_MS = 5 * 60_000;

/** The API's document, read once for all visitors. Where the API is away, the last one that is known stays. */
@Injectable()
export class ApiDocuments {
  private readonly logger = new Logger(ApiDocuments.name);
  private known: { readonly reference: ApiReference; readonly at: number } | null = null;
  private asked: Promise<ApiReference> | null = null;

  /** Throws `VitrineError` where there was never an answer. */
  async find(client: VitrineClient): Promise<ApiReference> {
    if (this.known && performance.now() - this.known.at < FRESH_MS) return this.known.reference;
    this.asked ??= this.ask(client).finally(() => (this.asked = null));
    if (!this.known) return this.asked;
    const { reference } = this.known;
    return this.asked.catch((error: unknown) => {
      this.logger.warn(`An older document of the API is shown: ${String(error)}`);
      return reference;
    });
  }

  private async ask(client: VitrineClient): Promise<ApiReference> {
    const document = await client.openApi();
    // The client knows no more of it than that it is an object.
    const reference = readReference(document as object as OpenApi);
    this.known = { reference, at: performance.now() };
    return reference;
  }
}
