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
  if (others.length > 0 || !isEmail(address)) throw new Error('one email address, with or without a name');
  return { name, address };
}

/** The value of SMTP_URL with which mails are written to the log. */
const TO_LOG = 'log:';

function smtpUrl(raw: string): string {
  if (raw === TO_LOG) return raw;
  const address = parse.url('smtp', 'smtps')(raw);
  const { search } = new URL(address);
  if (search !== '' && !/^\?require_tls=(true|false)$/.test(search))
    throw new Error('a URL without a query, or with require_tls=false');
  return address;
}

/** How mails are sent. */
@Consistent<MailConfig>({
  field: 'mailFrom',
  must: 'be set',
  beside: 'SMTP_URL',
  holds: ({ smtpUrl, mailFrom }) => smtpUrl === '' || smtpUrl === TO_LOG || mailFrom !== null,
})
export class MailConfig {
  @Setting({
    env: 'SMTP_URL',
    why: 'The mail server: smtp:// (STARTTLS, port 587) or smtps:// (TLS, port 465), with user and password, special characters percent-encoded. Mails and the password are sent only over TLS with a valid certificate, unless the server is this machine or the query of the URL turns require_tls off (docs/guides/accounts.md). log: writes mails to the log, with the secrets of their links; only for development, npm start does so. Unset: no mails are sent.',
    parse: smtpUrl,
    secret: true,
    default: '',
    example: 'smtp://vitrine:password@smtp.example.org:587',
    warning: (value) =>
      value === TO_LOG ? 'writes links with secrets to the log; use it only for development' : undefined,
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

  /** Seconds within which the server must accept a mail: servers that scan mails may need some. */
  timeoutSeconds = 30;

  /** Whether mails are sent only over TLS with a valid certificate. */
  get requireTls(): boolean {
    return !this.smtpUrl.endsWith('?require_tls=false');
  }

  /** Whether mails are written to the log. */
  get toLog(): boolean {
    return this.smtpUrl === TO_LOG;
  }

  /** Whether mails are sent to a server. */
  get hasServer(): boolean {
    return this.smtpUrl !== '' && !this.toLog;
  }
}

/** Whether a host is this machine, where TLS adds nothing. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
