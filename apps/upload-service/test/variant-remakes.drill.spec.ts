import { type EventEnvelope, type MediaVariantRequested, mediaVariantRequested } from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { queuesOf } from '@vitrine/messaging';
import { eventually } from '@vitrine/testing';
import { png } from './support/samples';
import { uploadFile } from './support/upload-file';
import { useUploadHost } from './support/upload-host';

/** Half of the variants that are made at a time. */
const SHARE = 50;
const [QUEUE] = queuesOf([mediaVariantRequested]).map(({ name }) => name);

describe('removed sizes that one address requests without waiting', () => {
  const host = useUploadHost({
    // Longer than the test, so that nothing is given back because of a timeout.
    FILE_HOLD_SECONDS: '60',
    TRUSTED_PROXIES: '127.0.0.1',
    STOP_GRACE_SECONDS: '0',
  });

  // Promise [security]: Removed sizes that are made again leave half of the work to others.
  it('leave half of the work to others', async () => {
    const bus = await host.connectBus();
    const requested = new Set<string>();
    await bus.consume(QUEUE!, 10, async (delivery) => {
      requested.add((delivery.envelope as EventEnvelope<MediaVariantRequested>).data.slug);
      await delivery.acknowledge();
    });
    const account = await host.createAccount();
    const media = await Promise.all(
      Array.from({ length: SHARE + 1 }, () => uploadFile(host, account, png(4, 3))),
    );
    await host.database.query(
      `update media set processed = true, processed_at = now(), moderation_status = 'approved', decided_at = now(),
         variants = jsonb_build_array(jsonb_build_object('name', 'xs', 'key', 'f/' || slug || '_xs.png', 'ext', 'png',
           'mime', 'image/png', 'width', 1, 'height', 1, 'bytes', 5, 'removed', true))`,
    );
    const ask = (one: MediaResource, address: string, signal?: AbortSignal): Promise<Response> =>
      fetch(`${host.url}/f/${one.slug}_xs.png`, {
        headers: { 'X-Forwarded-For': address },
        signal: signal ?? null,
      });
    const leaving = new AbortController();
    const asked = media
      .slice(0, SHARE)
      .map((one) => ask(one, '192.0.2.1', leaving.signal).catch(() => undefined));
    await eventually(() => expect(requested.size).toBe(SHARE));
    leaving.abort();
    await Promise.all(asked);
    const last = media.at(-1)!;
    expect((await ask(last, '192.0.2.1')).status).toBe(503);
    expect(requested).not.toContain(last.slug);
    const other = new AbortController();
    const waiting = ask(last, '192.0.2.2', other.signal).catch(() => undefined);
    await eventually(() => expect(requested).toContain(last.slug));
    other.abort();
    await waiting;
  });
});
