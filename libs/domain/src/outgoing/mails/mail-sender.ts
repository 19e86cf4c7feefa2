import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { errorMessage } from '@vitrine/runtime';
import type MailComposer from 'nodemailer/lib/mail-composer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isLoopback, MailConfig, type MailFrom } from './mail.config';
import type { MailText } from './mail-text.rules';
import type { ClaimedMail, MailOutcome } from './mail.types';

/** Characters of a server's answer that are kept. */
const KEPT_ERROR = 300;

/** What is sent. */
export interface Letter {
  readonly mail: Pick<ClaimedMail, 'messageId' | 'address' | 'createdAt'>;
  readonly content: MailText;
  /** Called before the server may accept the mail. If it rejects, the mail is not accepted. */
  readonly handOver: () => Promise<void>;
}

/** Sends mails to the server of `SMTP_URL`, one connection for each. */
@Injectable()
export class MailSender {
  constructor(private readonly config: MailConfig) {}

  /** Whether a server is configured. */
  get isOn(): boolean {
    return this.config.hasServer;
  }

  /** Sends a mail. Never rejects. `stop` ends the attempt unless the mail has been handed over. */
  async send({ mail, content, handOver }: Letter, stop: AbortSignal): Promise<MailOutcome> {
    const { mailFrom, timeoutSeconds } = this.config;
    if (!mailFrom) return { result: 'refused', error: 'MAIL_FROM is not set.' };
    let handedOver = false;
    const { Composer, Connection } = await loadNodemailer();
    const message = compose(Composer, mail, content, mailFrom).createReadStream();
    // It is read when the server has asked for the mail. The server accepts the mail when it has read its end, which is
    // written after the hand-over is recorded.
    async function* recordHandOver(): AsyncGenerator<Buffer> {
      for await (const chunk of message) yield chunk as Buffer;
      await handOver();
      handedOver = true;
    }
    const letter = Readable.from(recordHandOver(), { objectMode: false });
    const connection = new Connection(this.options());
    const ended = new AbortController();
    const within = { signal: ended.signal };
    const broken = new Promise<never>((_, reject) => {
      const limit = AbortSignal.timeout(timeoutSeconds * 1000);
      const late = () => reject(new Error(`No answer within ${timeoutSeconds} seconds.`));
      const stopped = () => handedOver || reject(new Error('This process is stopping.'));
      limit.addEventListener('abort', late, within);
      stop.addEventListener('abort', stopped, within);
      connection.on('error', reject);
      connection.on('end', () => reject(new Error('The server has closed the connection.')));
      letter.on('error', reject);
      if (stop.aborted) stopped();
    });
    try {
      const conversation = this.converse(connection, { from: mailFrom.address, to: [mail.address] }, letter);
      await Promise.race([conversation, broken]);
      connection.quit();
      return { result: 'sent' };
    } catch (error) {
      connection.close();
      return classify(error, handedOver);
    } finally {
      ended.abort();
      letter.destroy();
      message.destroy();
    }
  }

  private async converse(
    connection: SMTPConnection,
    envelope: SMTPConnection.Envelope,
    letter: Readable,
  ): Promise<void> {
    await done((callback) => connection.connect(callback));
    const { username, password } = new URL(this.config.smtpUrl);
    if (username !== '') {
      const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
      await done((callback) => connection.login({ credentials }, callback));
    }
    await done((callback) => connection.send(envelope, letter, callback));
  }

  private options(): SMTPConnection.Options {
    const { protocol, hostname, port } = new URL(this.config.smtpUrl);
    const host = hostname.replace(/^\[|\]$/g, '');
    const secure = protocol === 'smtps:';
    const patience = this.config.timeoutSeconds * 1000;
    return {
      host,
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: this.config.requireTls && !isLoopback(host),
      connectionTimeout: patience,
      greetingTimeout: patience,
      socketTimeout: patience,
      dnsTimeout: patience,
    };
  }
}

function compose(
  Composer: typeof MailComposer,
  { messageId, address, createdAt }: Letter['mail'],
  { subject, text, html }: MailText,
  from: MailFrom,
): ReturnType<MailComposer['compile']> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return new Composer({
    from: { ...from },
    // As an object, so that nothing in it is parsed.
    to: [{ name: '', address }],
    subject,
    text,
    html,
    messageId: `<${messageId}@${domain}>`,
    date: createdAt,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
}

/** On demand: services without mails load this room too, and need 40 ms less to start. */
async function loadNodemailer() {
  const [composer, connection] = await Promise.all([
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/smtp-connection'),
  ]);
  return { Composer: composer.default, Connection: connection.default };
}

const done = (call: (callback: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => call((error) => (error ? reject(error) : resolve())));

/** Commands whose permanent refusal is about the mail and not about the configuration. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function classify(error: unknown, handedOver: boolean): MailOutcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const text = errorMessage(error).slice(0, KEPT_ERROR);
  if (responseCode === undefined && handedOver) return { result: 'unknown', error: text };
  const permanent = responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MAIL.has(code ?? '');
  return { result: permanent ? 'refused' : 'retry', error: text };
}
