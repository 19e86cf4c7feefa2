import { parse, Setting } from '@vitrine/runtime';

/** How much may be stored. Null means no limit. */
export class QuotasConfig {
  @Setting({
    env: 'QUOTA_BYTES_PER_ACCOUNT',
    why: 'Bytes of files that one account may have, such as 20GB, unless staff set another quota for it. Unset: no limit.',
    parse: parse.bytes,
    default: null,
    example: '20GB',
  })
  bytesPerAccount!: number | null;

  @Setting({
    env: 'QUOTA_FILES_PER_ACCOUNT',
    why: 'Files that one account may have, unless staff set another quota for it. Unset: no limit.',
    parse: parse.integer(0),
    default: null,
    example: '100000',
  })
  filesPerAccount!: number | null;

  @Setting({
    env: 'QUOTA_BYTES_PER_GUEST',
    why: 'Bytes of files that one guest may have. Unset: no limit.',
    parse: parse.bytes,
    default: null,
    example: '1GB',
  })
  bytesPerGuest!: number | null;

  @Setting({
    env: 'QUOTA_FILES_PER_GUEST',
    why: 'Files that one guest may have. Unset: no limit.',
    parse: parse.integer(0),
    default: null,
    example: '1000',
  })
  filesPerGuest!: number | null;

  @Setting({
    env: 'QUOTA_BYTES_TOTAL',
    why: 'The largest total of bytes of all originals and variants, for a bucket or a shared disk; uploads that would exceed it are refused. Unset: no limit.',
    parse: parse.bytes,
    default: null,
    example: '2TB',
  })
  bytesTotal!: number | null;
}
