import { parse, Setting } from '@vitrine/runtime';

/** How many files of one uploader may be processed at a time. */
export class ProcessingShareConfig {
  @Setting({
    env: 'PROCESSING_SHARE',
    why: 'How many photographs of one uploader may be processed at a time. Set it to the number of workers of all media-processors, so that one uploader can use all of them.',
    parse: parse.integer(1, 1000),
    default: 4,
    example: '4',
  })
  share!: number;
}
