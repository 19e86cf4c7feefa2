import {
  type AlternativeRecord,
  type EventEnvelope,
  mediaAlternativesMade,
  type MediaAlternativesMade,
  mediaAlternativesRequested,
  type MediaAlternativesRequested,
} from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { buildEnvelope, type MessageTransport, queuesOf } from '@vitrine/messaging';
import { FolderStorage } from '@vitrine/storage';
import { eventually, withinSeconds } from '@vitrine/testing';
import { playProcessor } from './support/play-processor';
import { bmp } from './support/samples';
import { uploadFile } from './support/upload-file';
import { type Account, useUploadHost } from './support/upload-host';

const [QUEUE] = queuesOf([mediaAlternativesRequested]).map(({ name }) => name);
const CHROMIUM = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const IMMUTABLE = 'public, max-age=31536000, s-maxage=3600, immutable';
const UNSETTLED = 'public, max-age=31536000, s-maxage=60, immutable';
/** Reads after which a file is served from memory. */
const OFTEN = 6;
/** A fake JPEG and its smaller copies: they are only bytes here. */
const CONTENT = { jpg: 'x'.repeat(100), webp: 'w'.repeat(80), avif: 'a'.repeat(60) };

describe('sizes in other formats', () => {
  const host = useUploadHost({
    ALTERNATIVES_SECONDS_PER_HOUR: '3600',
    SWEEP_INTERVAL_SECONDS: '1',
    // Nothing listens there: what it is told stays in the table.
    CACHE_VARNISH_URLS: 'http://127.0.0.1:9',
  });
  let account: Account;
  let bus: MessageTransport;
  let storage: FolderStorage;
  let media: MediaResource;
  const requests: EventEnvelope<MediaAlternativesRequested>[] = [];

  beforeAll(async () => {
    account = await host.createAccount();
    storage = new FolderStorage(host.objects);
    bus = await host.connectBus();
    await bus.consume(QUEUE!, 10, async (delivery) => {
      requests.push(delivery.envelope as EventEnvelope<MediaAlternativesRequested>);
      await delivery.acknowledge();
    });
  });
  beforeEach(async () => {
    requests.length = 0;
    media = await uploadFile(host, account, bmp());
    await playProcessor(host, media, { ext: 'jpg', mime: 'image/jpeg', content: CONTENT.jpg });
  });

  const path = (): string => `/f/${media.slug}_md.jpg`;
  const get = (accept: string | null, init: RequestInit = {}, target = path()): Promise<Response> =>
    fetch(host.url + target, { ...init, headers: { Accept: accept ?? '*/*', ...(init.headers as object) } });
  const approve = () =>
    host.database.query(`update media set moderation_status = 'approved', decided_at = now() where id = $1`, [
      media.id,
    ]);
  const requested = (): Promise<MediaAlternativesRequested> =>
    eventually(() => {
      const found = requests.find(({ data }) => data.slug === media.slug);
      if (!found) throw new Error('Not requested');
      return found.data;
    });
  /** Has the media item approved, and plays the media-processor that is asked for its alternatives. */
  const make = async (
    exts: readonly ('webp' | 'avif')[] = ['avif', 'webp'],
  ): Promise<MediaAlternativesMade> => {
    await approve();
    const { variants, attempt } = await requested();
    const of = variants[0]!.key;
    const alternatives: AlternativeRecord[] = [];
    for (const ext of exts) {
      const key = of.replace('.jpg', `.${ext}`);
      await storage.put(key, Buffer.from(CONTENT[ext]));
      alternatives.push({ of, key, ext, bytes: CONTENT[ext].length });
    }
    const { id: media_id, slug } = media;
    const event = { media_id, slug, attempt, outcome: 'made', alternatives, took_ms: 1 } as const;
    await bus.publish(buildEnvelope(mediaAlternativesMade, event));
    await eventually(async () => {
      const { rows } = await host.database.query('select alternatives from media where id = $1', [media.id]);
      expect(rows[0].alternatives).toHaveLength(exts.length);
    });
    return event;
  };
  const shown = async (answer: Response): Promise<unknown[]> => [
    answer.status,
    answer.headers.get('Content-Type'),
    answer.headers.get('Vary'),
    await answer.text(),
  ];

  it('are requested once, after the decision, with all sizes of the photograph', async () => {
    await make();
    expect(requests).toMatchObject([
      {
        data: { slug: media.slug, key: `f/${media.slug}.bmp`, variants: [{ key: `f/${media.slug}_xs.jpg` }] },
      },
    ]);
  });

  // Promise [files]: Clients that name AVIF or WebP in `Accept` get photographs in that format; all others
  // get the JPEG.
  it('are chosen by Accept; all other clients get the JPEG', async () => {
    await make();
    const answers = await Promise.all(
      [null, 'image/*', 'image/jpeg, image/avif;q=0.5', 'image/webp,*/*', CHROMIUM, 'image/avif'].map(
        async (accept) => shown(await get(accept)),
      ),
    );
    const plain = [200, 'image/jpeg', 'Accept', CONTENT.jpg];
    const avif = [200, 'image/avif', 'Accept', CONTENT.avif];
    expect(answers).toEqual([plain, plain, plain, [200, 'image/webp', 'Accept', CONTENT.webp], avif, avif]);
    const cloudflare = async (accept: string): Promise<string | null> =>
      (await get(accept)).headers.get('Cloudflare-CDN-Cache-Control');
    expect([await cloudflare('*/*'), await cloudflare(CHROMIUM)]).toEqual([null, 'no-store']);
    const without = await fetch(host.url + path(), { headers: { Accept: '' } });
    expect(await shown(without)).toEqual(plain);
  });

  it('are the smallest one that is stored and accepted', async () => {
    await make(['webp']);
    expect(await shown(await get(CHROMIUM))).toEqual([200, 'image/webp', 'Accept', CONTENT.webp]);
    expect(await shown(await get('image/avif'))).toEqual([200, 'image/jpeg', 'Accept', CONTENT.jpg]);
  });

  // Promise [files]: Originals and downloads keep their type.
  it('never replace originals and downloads', async () => {
    await make();
    const original = await get(CHROMIUM, {}, `/f/${media.slug}.bmp`);
    expect((await shown(original)).slice(0, 3)).toEqual([200, 'image/bmp', null]);
    expect(await shown(await get(CHROMIUM, {}, `${path()}?download`))).toEqual([
      ...[200, 'image/jpeg', null, CONTENT.jpg],
    ]);
  });

  it('have their own ETag, for conditions, ranges and HEAD', async () => {
    await make();
    const [plain, avif] = await Promise.all([get(null), get(CHROMIUM)]);
    const [plainTag, avifTag] = [plain, avif].map(({ headers }) => headers.get('ETag')!);
    expect(avifTag).not.toBe(plainTag);
    const known = await get(CHROMIUM, { headers: { 'If-None-Match': avifTag! } });
    expect([known.status, known.headers.get('Vary')]).toEqual([304, 'Accept']);
    expect((await get(CHROMIUM, { headers: { 'If-None-Match': plainTag! } })).status).toBe(200);
    expect((await get(null, { headers: { 'If-None-Match': avifTag! } })).status).toBe(200);
    const part = await get(CHROMIUM, { headers: { Range: 'bytes=0-9', 'If-Range': avifTag! } });
    expect([part.status, part.headers.get('Content-Range')]).toEqual([206, 'bytes 0-9/60']);
    const mixed = await get(CHROMIUM, { headers: { Range: 'bytes=0-9', 'If-Range': plainTag! } });
    expect([mixed.status, await mixed.text()]).toEqual([200, CONTENT.avif]);
    const head = await get(CHROMIUM, { method: 'HEAD' });
    expect([head.headers.get('Content-Length'), head.headers.get('Content-Type')]).toEqual([
      '60',
      'image/avif',
    ]);
  });

  it('let shared caches keep a size for a short time while it may still change its type', async () => {
    const caching = async (accept: string | null): Promise<unknown[]> => {
      const { headers } = await get(accept);
      return [headers.get('Cache-Control'), headers.get('Vary')];
    };
    // Often enough that it is served from memory.
    for (let times = 0; times < OFTEN; times++) expect(await caching(null)).toEqual([UNSETTLED, 'Accept']);
    expect(await caching(CHROMIUM)).toEqual([UNSETTLED, 'Accept']);
    await make();
    // Each format ends its own time in memory.
    for (const accept of [null, CHROMIUM])
      await eventually(async () => expect(await caching(accept)).toEqual([IMMUTABLE, 'Accept']));
    for (let times = 0; times < OFTEN; times++)
      expect(await caching(CHROMIUM)).toEqual([IMMUTABLE, 'Accept']);
    expect(await shown(await get(CHROMIUM))).toEqual([200, 'image/avif', 'Accept', CONTENT.avif]);
    expect(await shown(await get(null))).toEqual([200, 'image/jpeg', 'Accept', CONTENT.jpg]);
  });

  it('are followed by a purge of the sizes from caches', async () => {
    const requests = async (): Promise<unknown[]> =>
      (
        await host.database.query('select requests, withdrawn from cache_purges where slug = $1', [
          media.slug,
        ])
      ).rows;
    await eventually(async () => expect(await requests()).toEqual([{ requests: 1, withdrawn: false }]));
    const event = await make();
    await eventually(async () => expect(await requests()).toEqual([{ requests: 2, withdrawn: false }]));
    // The process may have ended before the purge, so the message is delivered again.
    await bus.publish(buildEnvelope(mediaAlternativesMade, event));
    await eventually(async () => expect(await requests()).toEqual([{ requests: 3, withdrawn: false }]));
  });

  it('are counted in the metrics', async () => {
    await make();
    const lines = [
      /^vitrine_alternatives_total\{type="avif"\} [1-9]/m,
      /^vitrine_alternative_saved_bytes_total [1-9]/m,
      /^vitrine_alternative_seconds_total 0\.\d+/m,
      /^vitrine_alternatives_waiting \d+/m,
      /^vitrine_alternatives_oldest_seconds \d+/m,
    ];
    // They are counted after their transaction.
    await eventually(async () => {
      const text = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
      for (const line of lines) expect(text).toMatch(line);
    });
  });

  it('do not change the headers of the JPEG if none saves enough', async () => {
    await make([]);
    await eventually(async () => {
      const answer = await get(CHROMIUM);
      expect([answer.headers.get('Cache-Control'), answer.headers.get('Vary')]).toEqual([IMMUTABLE, null]);
    });
  });

  it('are 404 within a second after the media item was rejected', async () => {
    await make();
    for (let times = 0; times < OFTEN; times++) expect((await get(CHROMIUM)).status).toBe(200);
    await host.database.query(`update media set moderation_status = 'rejected' where id = $1`, [media.id]);
    await withinSeconds(1, async () => expect((await get(CHROMIUM)).status).toBe(404));
  });

  it('are replaced by the JPEG if an object is missing', async () => {
    await make();
    await storage.delete([`f/${media.slug}_xs.avif`]);
    expect(await shown(await get('image/avif'))).toEqual([200, 'image/jpeg', 'Accept', CONTENT.jpg]);
  });
});
