import { parse, Setting } from '@vitrine/runtime';

/** How many files of one uploader may be with the media-processors at a time. */
export class ProcessingShareConfig {
  @Setting({
    env: 'PROCESSING_SHARE',
    why: 'Photographs of one uploader that may be with the media-processors at a time; as many as these have workers in all, so that one uploader can use them all.',
    parse: parse.integer(1, 1000),
    default: 4,
    example: '4',
  })
  share!: number;
}
