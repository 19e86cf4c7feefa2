import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { eventually } from './waiting/eventually';

/** A mail that a server has accepted. */
export interface ReceivedMail {
  readonly to: readonly string[];
  readonly raw: string;
  readonly parsed: ParsedMail;
  /** The links in its text. */
  readonly links: readonly string[];
}

/** How a server answers; may be changed at any time. */
export interface MailServerAnswers {
  /** Called for each receiver: an error with this code, or null to accept. */
  onReceiver: () => Promise<number | null> | number | null;
  /** Called when the whole mail has arrived: an error with this code, or null to accept. */
  onMail: () => Promise<number | null> | number | null;
}

/** A mail server for tests, which keeps what it accepts. */
export interface MailServer {
  readonly port: number;
  readonly received: ReceivedMail[];
  readonly answers: MailServerAnswers;
  /** Waits for a mail to an address. */
  waitFor(address: string, subject?: RegExp): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

const LINK = /https?:\/\/\S+/g;
const refusal = (code: number): Error =>
  Object.assign(new Error(`Refused with ${code}`), { responseCode: code });

/** Starts a mail server on this machine. By default it has no TLS and accepts everything. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const answers: MailServerAnswers = { onReceiver: () => null, onMail: () => null };
  const find = (address: string, subject: RegExp): ReceivedMail | undefined =>
    received.find(({ to, parsed }) => to.includes(address) && subject.test(parsed.subject ?? ''));
  const answer = async (decide: () => Promise<number | null> | number | null): Promise<Error | null> => {
    const code = await decide();
    return code === null ? null : refusal(code);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    // Clients that never end are cut off after this.
    closeTimeout: 500,
    onRcptTo: (_address, _session, done) => void answer(answers.onReceiver).then(done),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        void (async () => {
          const refused = await answer(answers.onMail);
          if (refused) return done(refused);
          const raw = Buffer.concat(chunks).toString('utf8');
          const parsed = await simpleParser(raw);
          received.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            raw,
            parsed,
            links: parsed.text?.match(LINK) ?? [],
          });
          return done();
        })();
      });
    },
    ...options,
  });
  // Clients that break off, for example because they refuse the certificate.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    received,
    answers,
    waitFor: (address, subject = /(?:)/) =>
      eventually(() => {
        const found = find(address, subject);
        if (!found) throw new Error(`There is no mail to ${address} about ${String(subject)}`);
        return found;
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
