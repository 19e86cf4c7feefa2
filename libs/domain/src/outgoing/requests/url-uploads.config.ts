import { parse, Setting } from '@vitrine/runtime';

const MODES = ['off', 'on', 'private'] as const;

/** Whether uploads may name a file on another server. */
export class UrlUploadsConfig {
  @Setting({
    env: 'UPLOAD_BY_URL',
    why: 'Whether upload-service fetches files from addresses that uploaders name: `on` from public addresses only, `private` also from the local network, for a site that strangers cannot use.',
    parse: parse.oneOf(...MODES),
    default: 'off',
    example: 'on',
  })
  mode!: (typeof MODES)[number];

  get uploadByUrl(): boolean {
    return this.mode !== 'off';
  }

  get allowPrivate(): boolean {
    return this.mode === 'private';
  }
}
