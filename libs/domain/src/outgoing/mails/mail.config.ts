import { isIP } from 'node:net';
import { isEmail } from 'class-validator';
import addressparser from 'nodemailer/lib/addressparser';
import { Consistent, parse, Setting } from '@vitrine/runtime';

/** The sender of mails. */
export interface MailFrom {
  readonly name: string;
  readonly address: string;
}

function readMailFrom(text: string): MailFrom {
  const [sender, ...others] = addressparser(text, { flatten: true });
  const { name = '', address = '' } = sender ?? {};
  if (others.length > 0 || !isEmail(address)) throw new Error('one e-mail address, with or without a name');
  return { name, address };
}

/** How mails are sent. */
@Consistent<MailConfig>({
  field: 'mailFrom',
  must: 'be set',
  beside: 'SMTP_URL',
  holds: ({ smtpUrl, mailFrom }) => smtpUrl === '' || mailFrom !== null,
})
export class MailConfig {
  @Setting({
    env: 'SMTP_URL',
    why: 'The mail server: smtp:// (STARTTLS, port 587) or smtps:// (TLS, port 465), with user and password, special characters percent-encoded. Unset: no mails are sent.',
    parse: parse.url('smtp', 'smtps'),
    secret: true,
    default: '',
    example: 'smtp://vitrine:password@smtp.example.org:587',
  })
  smtpUrl!: string;

  @Setting({
    env: 'MAIL_FROM',
    why: 'The sender of mails; needed with SMTP_URL.',
    parse: readMailFrom,
    default: null,
    example: 'Vitrine <no-reply@example.org>',
  })
  mailFrom!: MailFrom | null;

  @Setting({
    env: 'SMTP_REQUIRE_TLS',
    why: 'Whether mails and the password of SMTP_URL are sent only over TLS with a valid certificate. This does not apply to a server on the same machine.',
    parse: parse.flag,
    default: true,
    example: 'true',
  })
  requireTls!: boolean;

  @Setting({
    env: 'SMTP_TIMEOUT_SECONDS',
    why: 'Seconds within which the server must accept a mail.',
    parse: parse.integer(1, 300),
    default: 30,
    example: '30',
  })
  timeoutSeconds!: number;

  @Setting({
    env: 'MAIL_TO_LOG',
    why: 'Without SMTP_URL, writes mails to the log, with the secrets of their links. Only for development: npm start turns it on.',
    parse: parse.flag,
    default: false,
    example: 'false',
    warning: (value) =>
      value ? 'writes links with secrets to the log; use it only for development' : undefined,
  })
  toLog!: boolean;
}

/** Whether a host is this machine, where TLS adds nothing. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
