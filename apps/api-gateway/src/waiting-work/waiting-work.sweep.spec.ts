import {
  Announcements,
  FeedCountsService,
  FeedsModule,
  MailDeliverer,
  MailDeliveryModule,
  NoticesModule,
  PasswordsModule,
  QuotasModule,
  QuotasService,
  RanksModule,
  RanksService,
  ResetLinks,
  WaitingWorkModule,
  WaitingWorkService,
  WebhookDeliverer,
  WebhooksModule,
} from '@vitrine/domain';
import { type Sweep, Sweeper } from '@vitrine/runtime';
import { type DomainContext, eventually, startDomain } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { FeedFoldingSweep } from '../feed-sweeps/feed-folding.sweep';
import { RankingSweep } from '../feed-sweeps/ranking.sweep';
import { MailDelivery } from '../mails/mail-delivery';
import { AnnouncementSweep } from '../notifications/announcement.sweep';
import { StorageFoldingSweep } from '../quotas/storage-folding.sweep';
import { WebhookDelivery } from '../webhooks/webhook-delivery';
import { WaitingWorkSweep } from './waiting-work.sweep';

const MODULES = [
  FeedsModule,
  MailDeliveryModule,
  NoticesModule,
  QuotasModule,
  RanksModule,
  PasswordsModule,
  WaitingWorkModule,
  WebhooksModule,
];

describe('WaitingWorkSweep', () => {
  let domain: DomainContext;
  let sweeper: Sweeper;
  beforeAll(async () => {
    domain = await startDomain(MODULES);
  });
  afterAll(async () => {
    await sweeper?.beforeApplicationShutdown();
    await domain?.stop();
  });

  it('wakes each sweep that has work long before its rest ends', async () => {
    const registry = new Registry();
    sweeper = new Sweeper(registry);
    const sweeps = [
      new WebhookDelivery(domain.get(WebhookDeliverer)),
      new MailDelivery(domain.get(ResetLinks), domain.get(MailDeliverer)),
      new FeedFoldingSweep(domain.get(FeedCountsService), registry),
      new RankingSweep(domain.get(RanksService)),
      new AnnouncementSweep(domain.get(Announcements)),
      new StorageFoldingSweep(domain.get(QuotasService), registry),
    ] as const;
    // Their first run, after which they rest.
    const ran = new Set<Sweep>();
    for (const sweep of sweeps) {
      const runOnce = jest.spyOn(sweep, 'runOnce');
      sweeper.begin(sweep);
      sweeper.wake(sweep);
      await eventually(() => expect(runOnce.mock.results.length).toBeGreaterThan(0));
      await runOnce.mock.results[0]?.value;
      ran.add(sweep);
    }
    expect(ran.size).toBe(6);
    await domain.dataSource.query(`insert into reset_requests (login) values ('nobody')`);
    await domain.dataSource.query(`insert into posts (slug, listing) values ('aaaaaaa', 'safe')`);
    await domain.dataSource.query('insert into rank_changes (post_id) select id from posts');
    await domain.dataSource.query('insert into post_announcements (post_id) select id from posts');
    await domain.dataSource.query(
      `insert into storage_deltas (kind, files, bytes, variant_bytes) values ('image', 1, 1, 1)`,
    );
    sweeper.begin(new WaitingWorkSweep(domain.get(WaitingWorkService), sweeper, ...sweeps));
    await eventually(async () =>
      expect(await domain.get(WaitingWorkService).find()).toEqual({
        webhooks: false,
        mails: false,
        feedCounts: false,
        ranks: false,
        announcements: false,
        storageCounts: false,
      }),
    );
  });
});
