import { parse, Setting } from '@vitrine/runtime';

/** Who may upload on the website without an account. */
export class GuestUploadsConfig {
  @Setting({
    env: 'GUEST_UPLOADS',
    why: 'Whether visitors without an account may upload on the website.',
    parse: parse.flag,
    default: true,
    example: 'false',
  })
  guestUploads!: boolean;
}
