import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import {
  type EventEnvelope,
  mediaVariantRemade,
  type MediaVariantRequested,
  mediaVariantRequested,
} from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { buildEnvelope, type MessageTransport, queuesOf } from '@vitrine/messaging';
import { FolderStorage } from '@vitrine/storage';
import { eventually, startService } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, useUploadHost } from './support/upload-host';

const SETTINGS = {
  VARIANT_RETENTION_DAYS: '30',
  // Longer than any test, so that no request is answered because of a timeout.
  FILE_HOLD_SECONDS: '60',
  // One address may have four sizes made.
  RATE_LIMIT_PUBLIC_PER_MINUTE: '1',
  TRUSTED_PROXIES: '127.0.0.1',
  CLEANUP_INTERVAL_SECONDS: '1',
  STOP_GRACE_SECONDS: '0',
};
const [QUEUE] = queuesOf([mediaVariantRequested]).map(({ name }) => name);

describe('sizes that nobody has requested', () => {
  const host = useUploadHost(SETTINGS);
  let account: Account;
  let bus: MessageTransport;
  let storage: FolderStorage;
  let media: MediaResource;
  const requests: EventEnvelope<MediaVariantRequested>[] = [];

  beforeAll(async () => {
    account = await host.createAccount();
    storage = new FolderStorage(host.objects);
    bus = await host.connectBus();
    await bus.consume(QUEUE!, 10, async (delivery) => {
      requests.push(delivery.envelope as EventEnvelope<MediaVariantRequested>);
      await delivery.acknowledge();
    });
    await host.database.query(
      `insert into variant_retention (since, seen_at) values (now() - interval '99 days', now())
       on conflict (singleton) do update set since = excluded.since`,
    );
  });
  beforeEach(async () => {
    requests.length = 0;
    media = await uploadFile(host, account, png(4, 3));
    await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'first' });
  });

  const key = (): string => `f/${media.slug}_xs.png`;
  const ask = (init: RequestInit = {}, address = '192.0.2.1', url = host.url): Promise<Response> =>
    fetch(`${url}/${key()}`, {
      ...init,
      headers: { 'X-Forwarded-For': address, ...(init.headers as Record<string, string>) },
    });
  /** Makes the media item old, and waits until the sweep has removed its variants. */
  const swept = async (): Promise<void> => {
    await host.database.query(
      `update media set decided_at = now(), moderation_status = 'approved', processed_at = now() - interval '31 days'
       where id = $1`,
      [media.id],
    );
    await eventually(async () => {
      const { rows } = await host.database.query(
        `select variants -> 0 -> 'removed' as removed, (select count(*)::int from variant_work where media_id = $1) as work
         from media where id = $1`,
        [media.id],
      );
      expect([...rows, await storage.head(key())]).toEqual([{ removed: true, work: 0 }, null]);
    });
  };
  /** The same result at once, for a media item that nobody has requested. */
  const removed = async (): Promise<void> => {
    await host.database.query(
      `update media set variants = (select jsonb_agg(variant || '{"removed": true}') from jsonb_array_elements(variants) variant)
       where id = $1`,
      [media.id],
    );
    await storage.delete([key()]);
  };
  const requested = (count: number): Promise<void> =>
    eventually(() => expect(requests.map(({ data }) => data.variant.key)).toEqual(Array(count).fill(key())));
  const make = async (content: string | null): Promise<void> => {
    if (content !== null) await storage.put(key(), Buffer.from(content));
    const event = {
      media_id: media.id,
      slug: media.slug,
      key: key(),
      bytes: content?.length ?? null,
      took_ms: 1,
    };
    await bus.publish(buildEnvelope(mediaVariantRemade, event));
  };

  // Promise [files]: `VARIANT_RETENTION_DAYS` removes unused sizes, which are made again on request.
  it('are removed, and made once for all their readers, in every process, with a new ETag', async () => {
    const other = await startService('upload-service', {
      env: { ...SETTINGS, DATABASE_URL: host.databaseUrl, STORAGE_URL: pathToFileURL(host.objects).href },
    });
    try {
      const first = await ask();
      expect(await first.text()).toBe('first');
      await host.database.query(`delete from variant_uses`);
      await swept();

      const asked = [
        ask(),
        ask({ method: 'HEAD' }, '192.0.2.2'),
        ask({ headers: { Range: 'bytes=1-3' } }, '192.0.2.3'),
        ask({ headers: { 'If-None-Match': first.headers.get('ETag')! } }, '192.0.2.4'),
        ask({}, '192.0.2.5', other.url),
      ];
      await requested(1);
      const held = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
      await eventually(async () => {
        expect(await held(host.service.managementUrl)).toContain('vitrine_http_held 4');
        expect(await held(other.managementUrl)).toContain('vitrine_http_held 1');
      });
      await make('second');

      const [whole, head, part, known, elsewhere] = await Promise.all(asked);
      expect([whole!.status, await whole!.text()]).toEqual([200, 'second']);
      expect(whole!.headers.get('ETag')).not.toBe(first.headers.get('ETag'));
      expect(whole!.headers.get('Cache-Control')).toBe(first.headers.get('Cache-Control'));
      expect(head!.headers.get('Content-Length')).toBe('6');
      expect([part!.status, await part!.text()]).toEqual([206, 'eco']);
      // The old bytes in a browser's cache are not confirmed.
      expect(known!.status).toBe(200);
      expect(await elsewhere!.text()).toBe('second');
      expect(requests).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it('are 404 without any work if the media item was rejected, and immediately if that happens meanwhile', async () => {
    await removed();
    const reject = () =>
      host.database.query(`update media set moderation_status = 'rejected' where id = $1`, [media.id]);
    const asked = ask({}, '198.51.100.1');
    await requested(1);
    await reject();
    expect((await asked).status).toBe(404);
    expect((await ask({}, '198.51.100.2')).status).toBe(404);
    expect(requests).toHaveLength(1);
  });

  // Promise [files]: One address can cause a limited number of removed sizes to be made.
  it('are made for one address only within its limit', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) {
      media = await uploadFile(host, account, png(4, 3));
      await playProcessor(host, media, { ext: 'png', mime: 'image/png', content: 'first' });
      await removed();
      requests.length = 0;
      const asked = ask({}, '198.51.100.3');
      if (count < 4) {
        await requested(1);
        await make('second');
      }
      const { status, headers } = await asked;
      statuses.push(status);
      if (status === 503) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 503]);
    expect(requests).toHaveLength(0);
  });

  it('are served by the original if they can not be made', async () => {
    await removed();
    const asked = ask({}, '198.51.100.4');
    await requested(1);
    await make(null);
    const answer = await asked;
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'private, max-age=60']);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(
      await readFile((await storage.checkOut(`f/${media.slug}.png`)).path),
    );
  });

  it('are made again if only their objects are missing', async () => {
    await storage.delete([key()]);
    const asked = ask({}, '198.51.100.5');
    await requested(1);
    await make('second');
    expect(await (await asked).text()).toBe('second');
  });
});
