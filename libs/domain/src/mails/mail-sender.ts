import { Transform } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { errorMessage } from '@vitrine/runtime';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { isLoopback, MailConfig, type MailFrom } from './mail.config';
import type { MailText } from './mail-text.rules';
import type { ClaimedMail, Outcome } from './mail.types';

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
  constructor(@Inject(MailConfig) private readonly config: MailConfig) {}

  /** Whether a server is configured. */
  get isOn(): boolean {
    return this.config.smtpUrl !== '';
  }

  /** Sends a mail. Never rejects. `stop` ends the attempt unless the mail has been handed over. */
  async send({ mail, content, handOver }: Letter, stop: AbortSignal): Promise<Outcome> {
    const { mailFrom, timeoutSeconds } = this.config;
    if (!mailFrom) return { result: 'refused', error: 'MAIL_FROM is not set.' };
    let handedOver = false;
    const message = compose(mail, content, mailFrom).createReadStream();
    const gate = new Transform({
      transform: (chunk, _, done) => done(null, chunk),
      // The server accepts a mail when it has read the end of it, which is written after this.
      flush: (done) => {
        handOver().then(
          () => {
            handedOver = true;
            done();
          },
          (error: unknown) => done(error instanceof Error ? error : new Error(errorMessage(error))),
        );
      },
    });
    const connection = new SMTPConnection(this.options());
    const limit = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      await new Promise<void>((resolve, reject) => {
        limit.addEventListener('abort', () => reject(new Error(`No answer within ${timeoutSeconds} seconds.`)));
        stop.addEventListener('abort', () => {
          if (!handedOver) reject(new Error('This process is stopping.'));
        });
        connection.on('error', reject);
        connection.on('end', () => reject(new Error('The server has closed the connection.')));
        message.on('error', (error) => gate.destroy(error));
        gate.on('error', reject);
        stop.throwIfAborted();
        connection.connect((error) => (error ? reject(error) : this.logIn(connection, reject, () => {
          const envelope = { from: mailFrom.address, to: [mail.address], size: 0 };
          connection.send(envelope, message.pipe(gate), (failure) => (failure ? reject(failure) : resolve()));
        })));
      });
      return { result: 'sent' };
    } catch (error) {
      return classify(error, handedOver);
    } finally {
      connection.on('error', () => undefined);
      connection.quit();
      connection.close();
      message.destroy();
      gate.destroy();
    }
  }

  private logIn(connection: SMTPConnection, reject: (error: unknown) => void, next: () => void): void {
    const { username, password } = new URL(this.config.smtpUrl);
    if (username === '') return next();
    const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    connection.login({ credentials }, (error) => (error ? reject(error) : next()));
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
  { messageId, address, createdAt }: Letter['mail'],
  { subject, text, html }: MailText,
  from: MailFrom,
): ReturnType<MailComposer['compile']> {
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return new MailComposer({
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

/** Commands whose permanent refusal is about the mail and not about the configuration. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function classify(error: unknown, handedOver: boolean): Outcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const text = errorMessage(error).slice(0, KEPT_ERROR);
  if (responseCode === undefined && handedOver) return { result: 'unknown', error: text };
  const permanent = responseCode !== undefined && responseCode >= 500 && ABOUT_THE_MAIL.has(code ?? '');
  return { result: permanent ? 'refused' : 'retry', error: text };
}
