import { Listing } from '../lists/listing';
import type { AnswerOf, QueryOf, Transport } from '../transport/transport';

/** Tags that are in use, most used first. */
export class Tags extends Listing<AnswerOf<'listTags'>, QueryOf<'listTags'>> {
  constructor(transport: Transport) {
    super((query, options) => transport.call('listTags', { query }, options));
  }
}
