import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Database } from '@vitrine/database';
import { type DomainContext, type MailServer, startDomain, startMailServer } from '@vitrine/testing';
import { MailDeliverer } from './mail-deliverer';
import { MailDeliveryModule } from './mail-delivery.module';
import { MailConfig } from './mail.config';
import { MailRepository } from './mail.repository';
import type { LinkPurpose } from './mail.types';
import { Mails } from './mails.service';

const SITE = 'https://example.org';
const never = new Promise<null>(() => undefined);

describe('MailDeliverer', () => {
  let domain: DomainContext;
  let server: MailServer;
  let deliverer: MailDeliverer;
  let config: MailConfig;
  let settings: Partial<MailConfig>;

  beforeAll(async () => {
    server = await startMailServer();
    domain = await startDomain([MailDeliveryModule], {
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      MAIL_FROM: 'Vitrine <no-reply@example.org>',
      PUBLIC_SITE_URL: SITE,
    });
    deliverer = domain.get(MailDeliverer);
    config = domain.get(MailConfig);
    settings = { ...config };
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    await query('delete from users');
    await query('delete from mails');
    Object.assign(config, settings);
    server.received.length = 0;
    Object.assign(server.answers, { onReceiver: () => null, onMail: () => null });
  });
  afterAll(async () => {
    await domain.stop();
    await server.stop();
  });

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const createUser = async () => {
    const username = `u_${randomBytes(5).toString('hex')}`;
    const [row] = await query<{ id: number }>('insert into users (username) values ($1) returning id', [
      username,
    ]);
    return { userId: row!.id, username, address: `${username}@example.net` };
  };
  const addNotice = async (text = 'Your password was changed. All other sessions have ended.') => {
    const user = await createUser();
    await domain.get(Database).transaction((tx) => domain.get(Mails).requestNotice(tx, user, text));
    return user;
  };
  const addLink = async (purpose: LinkPurpose) => {
    const user = await createUser();
    await domain.get(Database).transaction((tx) => domain.get(Mails).requestLink(tx, { ...user, purpose }));
    return user;
  };
  const deliver = () => deliverer.deliverDue(() => true);
  const makeDue = () => query(`update mails set next_attempt_at = now() where status = 'pending'`);
  const rows = () => query('select status, attempts, error, notice from mails order by id');
  const status = async () => (await rows()).map((row) => row['status']);

  it('sends a notice as text and simple HTML, once', async () => {
    const { address, username } = await addNotice();
    await deliver();
    await makeDue();
    await deliver();
    expect(server.received).toHaveLength(1);
    const { parsed, to, raw } = server.received[0]!;
    expect(to).toEqual([address]);
    expect(parsed.from?.value).toEqual([{ name: 'Vitrine', address: 'no-reply@example.org' }]);
    expect(parsed.subject).toBe('example.org: Your password was changed.');
    expect(parsed.text).toContain(`your account “${username}” on example.org`);
    expect(parsed.text).toContain('Your password was changed. All other sessions have ended.');
    expect(parsed.html).toContain('<p>Your password was changed. All other sessions have ended.</p>');
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    const [{ message_id: id } = {}] = await query('select message_id from mails');
    expect(parsed.messageId).toBe(`<${String(id)}@example.org>`);
    expect(await rows()).toEqual([{ status: 'sent', attempts: 1, error: null, notice: null }]);
  });

  it('makes the code of a link when it sends it, and stores only its hash', async () => {
    const { username } = await addLink('reset-password');
    expect(await query('select from account_links')).toEqual([]);
    await deliver();
    const { links, parsed } = server.received[0]!;
    const code = new URL(links[0]!).searchParams.get('code')!;
    expect(links[0]).toBe(`${SITE}/reset-password?code=${code}`);
    expect(code).toMatch(/^[0-9A-Za-z]{34}$/);
    expect(parsed.text).toContain(username);
    expect(
      await query(
        `select code_sha256 = sha256(convert_to($1, 'UTF8')) as same, expires_at - created_at = interval '30 minutes' as half
         from account_links`,
        [code],
      ),
    ).toEqual([{ same: true, half: true }]);
  });

  it('tries again after a temporary refusal, with the same Message-ID, and keeps the links of all attempts valid', async () => {
    await addLink('verify-email');
    server.answers.onMail = () => 451;
    await deliver();
    expect(await rows()).toMatchObject([
      { status: 'pending', attempts: 1, error: expect.stringContaining('451') },
    ]);
    await deliver();
    expect(await rows()).toMatchObject([{ attempts: 1 }]);
    server.answers.onMail = () => null;
    await makeDue();
    await deliver();
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect(server.received).toHaveLength(1);
    expect(await query('select from account_links')).toHaveLength(2);
  });

  it('gives up after a permanent refusal', async () => {
    await addNotice();
    server.answers.onReceiver = () => 550;
    await deliver();
    await makeDue();
    await deliver();
    expect(await rows()).toMatchObject([
      { status: 'failed', attempts: 1, error: expect.stringContaining('550') },
    ]);
  });

  it('does not send what would come too late', async () => {
    await addLink('reset-password');
    await query(`update mails set send_until = now()`);
    await deliver();
    expect([await status(), server.received]).toEqual([['failed'], []]);
  });

  it('refuses to send without TLS to another machine', async () => {
    await addNotice();
    // An address that leads to this machine and isn't a loopback address.
    config.smtpUrl = `smtp://user:secret@0.0.0.0:${server.port}`;
    await deliver();
    expect(server.received).toEqual([]);
    expect(await rows()).toMatchObject([{ status: 'pending', error: expect.stringMatching(/STARTTLS/i) }]);
    expect(JSON.stringify(await rows())).not.toContain('secret');
    config.smtpUrl = `smtp://0.0.0.0:${server.port}?require_tls=false`;
    await makeDue();
    await deliver();
    expect(server.received).toHaveLength(1);
  });

  it('refuses a certificate that is not valid', async () => {
    const other = await startMailServer({ disabledCommands: [] });
    try {
      await addNotice();
      config.smtpUrl = `smtp://0.0.0.0:${other.port}`;
      await deliver();
      expect(other.received).toEqual([]);
      expect(await rows()).toMatchObject([
        { status: 'pending', error: expect.stringMatching(/certificate/i) },
      ]);
    } finally {
      await other.stop();
    }
  });

  it('tries again if the server refuses the password', async () => {
    const other = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('Wrong password')),
    });
    try {
      await addNotice();
      config.smtpUrl = `smtp://user:secret@127.0.0.1:${other.port}`;
      await deliver();
      expect(await status()).toEqual(['pending']);
    } finally {
      await other.stop();
    }
  });

  it('ends an attempt at a server that is slow, and tries again', async () => {
    await addNotice();
    server.answers.onReceiver = () => never;
    config.timeoutSeconds = 1;
    await deliver();
    expect(await rows()).toMatchObject([{ status: 'pending', error: 'No answer within 1 seconds.' }]);
  });

  it('does not send a mail again whose answer was lost', async () => {
    await addNotice();
    server.answers.onMail = () => never;
    config.timeoutSeconds = 1;
    await deliver();
    expect(await status()).toEqual(['unknown']);
    server.answers.onMail = () => null;
    await query(`update mails set handed_over_at = handed_over_at - interval '1 day'`);
    await deliver();
    expect(server.received).toEqual([]);
  });

  it('does not send a mail again whose process died between the hand-over and the record', async () => {
    await addNotice();
    const connection = domain.get(Database);
    const repository = domain.get(MailRepository);
    const [claimed] = await connection.transaction((tx) => repository.claim(tx, 1, 60));
    await connection.transaction((tx) => repository.markHandedOver(tx, claimed!.id));
    await deliver();
    expect(await status()).toEqual(['pending']);
    await makeDue();
    await deliver();
    expect([await status(), server.received]).toEqual([['unknown'], []]);
  });

  it('sends a mail whose process died before the hand-over', async () => {
    await addNotice();
    await domain.get(Database).transaction((tx) => domain.get(MailRepository).claim(tx, 1, 60));
    await makeDue();
    await deliver();
    expect([await status(), server.received.length]).toEqual([['sent'], 1]);
  });

  it('hands over nothing that another process has taken, or that was withdrawn', async () => {
    await addNotice();
    server.answers.onReceiver = async () => {
      await query('update mails set attempts = attempts + 1');
      return null;
    };
    await deliver();
    const { userId } = await addLink('reset-password');
    server.answers.onReceiver = async () => {
      await domain
        .get(Database)
        .transaction((tx) => domain.get(Mails).revokeLinks(tx, userId, 'reset-password'));
      return null;
    };
    await deliver();
    expect(server.received).toEqual([]);
    expect(await query('select from account_links')).toEqual([]);
  });

  it('sends each mail once in several processes at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 30 }, () => addNotice()));
    await Promise.all([deliver(), deliver(), deliver()]);
    expect(server.received.flatMap(({ to }) => to).sort()).toEqual(
      users.map(({ address }) => address).sort(),
    );
  });

  it('writes nothing into headers and markup but what belongs there', async () => {
    const hostile = `The API token “x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u202Eevil\u0000”${'y'.repeat(1_500)} was created.`;
    const { address } = await addNotice(hostile.replace('\u0000', ''));
    await deliver();
    const { parsed, to, raw } = server.received[0]!;
    expect(to).toEqual([address]);
    expect(parsed.bcc ?? parsed.headers.get('bcc')).toBeUndefined();
    expect(parsed.subject!.length).toBeLessThanOrEqual(120);
    expect(`${parsed.subject}${parsed.text}`).not.toMatch(/\u202E|\r\nBcc/);
    expect(parsed.html).not.toContain('<script');
    expect(Math.max(...raw.split('\n').map((line) => line.length))).toBeLessThan(1_000);
    // Every link leads to the site, and nothing is loaded.
    expect(
      [...String(parsed.html).matchAll(/(?:src|href)="([^"]*)"/g)].filter(([, to]) => !to!.startsWith(SITE)),
    ).toEqual([]);
  });

  it('sends nothing without a server, and writes mails to the log only if it is asked to', async () => {
    config.smtpUrl = '';
    const lines: unknown[] = [];
    Logger.overrideLogger({
      log: (line) => lines.push(line),
      warn: (line) => lines.push(line),
      error: () => undefined,
    });
    try {
      await addLink('reset-password');
      await deliver();
      expect(await status()).toEqual(['failed']);
      expect(lines.join()).toMatch(
        /^Mail \d+ \(reset-password\) was not sent, because SMTP_URL is not set\.$/,
      );
      config.smtpUrl = 'log:';
      await addLink('reset-password');
      await deliver();
      expect(await status()).toEqual(['failed', 'sent']);
      expect(lines.join()).toMatch(/https:\/\/example\.org\/reset-password\?code=\w{34}/);
    } finally {
      Logger.overrideLogger(false);
    }
  });

  it('removes old mails and expired links', async () => {
    await addLink('verify-email');
    await addNotice();
    await deliver();
    await query(
      `update mails set created_at = now() - interval '8 days', status = case kind when 'notice' then 'sent' else 'failed' end`,
    );
    await query(`update account_links set expires_at = now()`);
    expect(await deliverer.removeOld()).toBe(1);
    expect([await status(), await query('select from account_links')]).toEqual([['failed'], []]);
  });
});
