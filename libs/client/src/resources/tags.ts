import { Listing } from '../listing';
import type { AnswerOf, QueryOf, Transport } from '../transport';

/** Tags in use, most used first. */
export class Tags extends Listing<AnswerOf<'listTags'>, QueryOf<'listTags'>> {
  constructor(transport: Transport) {
    super((query, options) => transport.call('listTags', { query }, options));
  }
}
