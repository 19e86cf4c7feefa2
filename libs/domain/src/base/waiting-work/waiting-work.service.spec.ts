import { useDomain } from '@vitrine/testing';
import { WaitingWorkModule } from './waiting-work.module';
import { WaitingWorkService } from './waiting-work.service';

describe('WaitingWorkService', () => {
  const domain = useDomain([WaitingWorkModule]);
  beforeAll(async () => {
    await domain.dataSource.query(`insert into users (username) values ('ada')`);
    await domain.dataSource.query(
      `insert into webhooks (user_id, url, events, secret) select id, 'https://example.org/', '{}', decode(repeat('ab', 32), 'hex') from users`,
    );
  });

  const sql = (text: string): Promise<unknown> => domain.dataSource.query(text);
  const found = async (): Promise<string[]> =>
    Object.entries(await domain.get(WaitingWorkService).find())
      .filter(([, waits]) => waits)
      .map(([kind]) => kind);

  it.each([
    [
      'webhooks',
      `insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data)
      select id, gen_random_uuid(), 'media.uploaded', now(), '{}' from webhooks`,
      'delete from webhook_deliveries',
    ],
    [
      'mails',
      `insert into mails (username, kind, address, notice, send_until)
      values ('ada', 'notice', 'ada@example.org', '{}', now() + interval '1 hour')`,
      'delete from mails',
    ],
    ['mails', `insert into reset_requests (login) values ('ada')`, 'delete from reset_requests'],
    [
      'feedCounts',
      `insert into feed_deltas (feed, listing, item_id, change) values ('posts', 'safe', 1, 1)`,
      'delete from feed_deltas',
    ],
    ['ranks', 'insert into rank_changes (post_id) values (1)', 'delete from rank_changes'],
    [
      'announcements',
      'insert into post_announcements (post_id) values (1)',
      'delete from post_announcements',
    ],
    [
      'storageCounts',
      `insert into storage_deltas (kind, files, bytes, variant_bytes) values ('image', 1, 1, 1)`,
      'delete from storage_deltas',
    ],
  ])('finds work of the kind %s', async (kind, insert, remove) => {
    expect(await found()).toEqual([]);
    await sql(insert);
    expect(await found()).toEqual([kind]);
    await sql(remove);
    expect(await found()).toEqual([]);
  });

  it('finds no deliveries and mails that are due later, and no deliveries of disabled webhooks', async () => {
    await sql(`insert into webhook_deliveries (webhook_id, event_id, event, occurred_at, data, next_attempt_at)
      select id, gen_random_uuid(), 'media.uploaded', now(), '{}', now() + interval '1 minute' from webhooks`);
    await sql(`insert into mails (username, kind, address, notice, send_until, next_attempt_at)
      values ('ada', 'notice', 'ada@example.org', '{}', now() + interval '1 hour', now() + interval '1 minute')`);
    expect(await found()).toEqual([]);
    await sql(`update webhook_deliveries set next_attempt_at = now()`);
    expect(await found()).toEqual(['webhooks']);
    await sql(`update webhooks set disabled_reason = 'failing', disabled_at = now()`);
    expect(await found()).toEqual([]);
  });
});
