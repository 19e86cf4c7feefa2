import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  type MediaAlternativesMade,
  mediaAlternativesMade,
  mediaAlternativesRequested,
  mediaProcessingFailed,
  mediaVariantsStored,
  mediaLongProcessingRequested,
  mediaOverran,
  mediaProcessingRequested,
  mediaVariantRemade,
  mediaVariantRequested,
  objectKeys,
  type EventEnvelope,
  type MediaProcessingFailed,
  type MediaVariantsStored,
  type MediaProcessingRequested,
} from '@vitrine/contracts';
import { buildEnvelope, type MessageTransport } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { FolderStorage } from '@vitrine/storage';
import {
  createTestDatabase,
  eventually,
  type ServiceProcess,
  startService,
  svgBomb,
  type TestDatabase,
  withNames,
} from '@vitrine/testing';
import sharp from 'sharp';
import { Bench } from './samples/jobs';
import { photo } from './samples/pictures';
import { FEW_PICTURES } from './samples/hevc';

/**
 * The built process, over the bus: a message and an original go in, variants in the storage and an event come out.
 */
describe('media-processor', () => {
  let database: TestDatabase;
  let folder: string;
  let storage: FolderStorage;
  let bus: MessageTransport;
  let service: ServiceProcess;
  let nextId = 1;
  const heard = new Map<number, EventEnvelope[]>();

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'vitrine media-processor '));
    storage = new FolderStorage(folder);
    bus = createTransport({ url: database.url, publishTimeoutMs: 5_000 }, 'spec');
    await bus.connect();
    service = await startService('media-processor', {
      env: {
        ALTERNATIVES_SECONDS_PER_HOUR: '3600',
        BUS_URL: database.url,
        STORAGE_URL: pathToFileURL(folder).href,
        BUS_RETRY_DELAYS_MS: '50,50',
        MEDIA_CONCURRENCY: '1',
        VARIANT_RETENTION_DAYS: '30',
      },
    });
    for (const { type } of [
      mediaVariantsStored,
      mediaProcessingFailed,
      mediaOverran,
      mediaVariantRemade,
      mediaAlternativesMade,
    ]) {
      const queue = { name: `spec.${type}`, routingKey: type };
      await bus.declare([queue]);
      await bus.consume(queue.name, 10, async (delivery) => {
        const { media_id } = delivery.envelope.data as MediaProcessingFailed;
        heard.set(media_id, [...(heard.get(media_id) ?? []), delivery.envelope]);
        await delivery.acknowledge();
      });
    }
  });

  afterAll(async () => {
    await service?.stop('SIGKILL');
    await bus?.close();
    await database?.drop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** The workers' own folders stay, but are empty. */
  const filesBelow = async (path: string): Promise<string[]> =>
    (await readdir(path, { recursive: true, withFileTypes: true }))
      .filter((entry) => !entry.isDirectory() || !/^(vitrine-worker-\w+|in|out|root)$/.test(entry.name))
      .map(({ name }) => name);

  const request = (media: MediaProcessingRequested): Promise<void> => {
    const long = media.kind === 'video' || media.format === 'svg';
    const event = long ? mediaLongProcessingRequested : mediaProcessingRequested;
    return bus.publish(buildEnvelope(event, media));
  };

  async function upload(
    file: Buffer,
    facts: Partial<MediaProcessingRequested>,
    ask = request,
  ): Promise<MediaProcessingRequested> {
    const media_id = nextId++;
    const slug = `m${String(media_id).padStart(6, '0')}`;
    const ext = facts.ext ?? 'jpg';
    const key = objectKeys.original(slug, ext);
    await storage.put(key, file);
    const media: MediaProcessingRequested = {
      ...{ media_id, slug, key, ext, kind: 'image', format: 'jpeg', mime: 'image/jpeg', bytes: file.length },
      ...{ width: 1, height: 1, frames: 1, duration: null },
      ...facts,
    };
    await ask(media);
    return media;
  }

  const answerFor = ({ media_id }: MediaProcessingRequested): Promise<EventEnvelope> =>
    eventually(() => {
      const [envelope] = heard.get(media_id) ?? [];
      if (!envelope) throw new Error(`No answer for ${media_id}. ${service.output().slice(-2000)}`);
      return envelope;
    });

  // Promise [files]: `processed` becomes true when all variants exist.
  it('makes every variant of a photograph, and publishes the event', async () => {
    const media = await upload(await (await photo(300, 225)).resize(2400).jpeg().toBuffer(), {});
    const { type, data } = await answerFor(media);
    expect(type).toBe('media.variants_stored');
    const processed = data as MediaVariantsStored;
    expect(processed).toMatchObject({ media_id: media.media_id, width: 2400, height: 1800, duration: null });
    expect(processed.variants.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['xs', 160, 120],
      ['sm', 320, 240],
      ['md', 640, 480],
      ['lg', 1280, 960],
      ['xl', 1920, 1440],
      ['thumb', 160, 120],
    ]);
    for (const { key, bytes } of processed.variants) expect((await storage.head(key))?.size).toBe(bytes);
    expect(processed.frames).toEqual([objectKeys.moderationFrame(media.slug, 0)]);
    expect(await storage.head(processed.frames[0] as string)).not.toBeNull();
    expect(processed.hashes).toEqual([
      {
        ...{ pdq: expect.stringMatching(/^[0-9a-f]{64}$/), quality: expect.any(Number), at: 0 },
        turned: expect.stringMatching(/^[A-Za-z0-9+/]{299}=$/),
      },
    ]);
    expect(await filesBelow(await storage.scratchDirectory())).toEqual([]);
  });

  it('makes a removed variant again, with the pixels of the first one and without metadata', async () => {
    const picture = await (
      await photo(300, 225)
    )
      .resize(2400)
      .withExif({ IFD0: { Artist: 'Ada' } })
      .jpeg()
      .toBuffer();
    const media = await upload(picture, {});
    const { variants } = (await answerFor(media)).data as MediaVariantsStored;
    const pixelsOf = async (key: string): Promise<Buffer> =>
      sharp((await storage.checkOut(key)).path)
        .raw()
        .toBuffer();
    for (const name of ['sm', 'lg']) {
      const variant = variants.find((each) => each.name === name)!;
      const before = await pixelsOf(variant.key);
      await storage.delete([variant.key]);
      heard.delete(media.media_id);

      await bus.publish(buildEnvelope(mediaVariantRequested, { ...media, variant }));

      const { type, data } = await answerFor(media);
      const { key } = variant;
      const { size: bytes } = (await storage.head(key))!;
      expect([type, data]).toEqual([
        'media.variant_remade',
        { media_id: media.media_id, slug: media.slug, key, bytes, took_ms: expect.any(Number) },
      ]);
      const after = await pixelsOf(key);
      const squares = after.reduce((sum, value, index) => sum + (value - before[index]!) ** 2, 0);
      // No difference that anybody could see: 36 dB and more.
      expect(squares / after.length).toBeLessThan(16);
      const { format, exif } = await sharp((await storage.checkOut(key)).path).metadata();
      expect([format, exif]).toEqual(['jpeg', undefined]);
    }
    expect(await filesBelow(await storage.scratchDirectory())).toEqual([]);
  });

  it.each<[string, Buffer]>([
    ['is missing', Buffer.alloc(0)],
    ['is damaged', Buffer.from('no picture')],
  ])('answers that a variant can not be made if the original %s', async (_, file) => {
    const media = await upload(file, {}, async () => undefined);
    if (file.length === 0) await storage.delete([media.key]);
    const variant = { key: objectKeys.variant(media.slug, 'sm', 'jpg'), ext: 'jpg', width: 320, height: 240 };

    await bus.publish(buildEnvelope(mediaVariantRequested, { ...media, variant }));

    expect((await answerFor(media)).data).toMatchObject({ key: variant.key, bytes: null });
    expect(await storage.head(variant.key)).toBeNull();
  });

  it('drops a request for a variant whose readers have gone', async () => {
    const media = await upload(await (await photo(40, 30)).jpeg().toBuffer(), {}, async () => undefined);
    const variant = { key: objectKeys.variant(media.slug, 'xs', 'jpg'), ext: 'jpg', width: 16, height: 12 };
    const late = buildEnvelope(mediaVariantRequested, { ...media, variant });
    await bus.publish({ ...late, occurred_at: new Date(Date.now() - 120_000).toISOString() });
    // The processor takes the messages in order of arrival.
    const next = await upload(await (await photo(40, 30)).jpeg().toBuffer(), {}, async () => undefined);
    const nextVariant = { ...variant, key: objectKeys.variant(next.slug, 'xs', 'jpg') };
    await bus.publish(buildEnvelope(mediaVariantRequested, { ...next, variant: nextVariant }));
    expect((await answerFor(next)).data).toMatchObject({ key: nextVariant.key, bytes: expect.any(Number) });
    expect(await storage.head(variant.key)).toBeNull();
    expect(heard.get(media.media_id)).toBeUndefined();
  });

  describe('alternatives', () => {
    const requestAlternatives = async (
      media: MediaProcessingRequested,
      age = 0,
    ): Promise<{ type: string; data: MediaAlternativesMade }> => {
      const key = objectKeys.variant(media.slug, 'sm', 'jpg');
      const variants = [{ key, width: 320, height: 240, bytes: 1_000_000 }];
      const envelope = buildEnvelope(mediaAlternativesRequested, { ...media, variants, attempt: 2 });
      const occurred_at = new Date(Date.now() - age).toISOString();
      await bus.publish({ ...envelope, occurred_at });
      return (await answerFor(media)) as { type: string; data: MediaAlternativesMade };
    };
    const unprocessed = async (file: Buffer): Promise<MediaProcessingRequested> =>
      upload(file, {}, async () => undefined);

    it('are stored, and named in the answer', async () => {
      const media = await unprocessed(await (await photo(400, 300)).jpeg().toBuffer());
      const { type, data } = await requestAlternatives(media);
      expect(type).toBe('media.alternatives_made');
      const { alternatives, took_ms, ...facts } = data;
      expect(facts).toEqual({ media_id: media.media_id, slug: media.slug, attempt: 2, outcome: 'made' });
      expect(took_ms).toBeGreaterThan(0);
      const of = objectKeys.variant(media.slug, 'sm', 'jpg');
      expect(alternatives.map(({ key, ext }) => [key, ext])).toEqual([
        [objectKeys.alternative(of, 'avif'), 'avif'],
        [objectKeys.alternative(of, 'webp'), 'webp'],
      ]);
      for (const { key, bytes, of: variant } of alternatives) {
        expect(variant).toBe(of);
        expect((await storage.head(key))?.size).toBe(bytes);
      }
      expect(await filesBelow(await storage.scratchDirectory())).toEqual([]);
    });

    it('are none for a file that can not be decoded', async () => {
      const { data } = await requestAlternatives(await unprocessed(Buffer.from('no picture')));
      expect(data).toMatchObject({ outcome: 'made', alternatives: [] });
    });

    it('are not made for a stale request', async () => {
      const media = await unprocessed(await (await photo(40, 30)).jpeg().toBuffer());
      const { data } = await requestAlternatives(media, 600_000);
      expect(data).toMatchObject({ outcome: 'busy', alternatives: [] });
    });

    it('wait while other files are processed', async () => {
      const drawing = await upload(svgBomb(), { format: 'svg', mime: 'image/svg+xml', ext: 'svg' });
      const busy = async (): Promise<string> => (await fetch(`${service.managementUrl}/metrics`)).text();
      await eventually(async () =>
        expect(await busy()).toContain('vitrine_media_busy_workers{lane="long"} 1'),
      );
      const media = await unprocessed(await (await photo(40, 30)).jpeg().toBuffer());
      const { data } = await requestAlternatives(media);
      expect(data).toMatchObject({ outcome: 'busy', alternatives: [] });
      await answerFor(drawing);
    });
  });

  it('changes nothing when the same message comes again', async () => {
    const media = await upload(await (await photo(500, 400)).png().toBuffer(), { format: 'png', ext: 'png' });
    const first = (await answerFor(media)).data as MediaVariantsStored;
    heard.delete(media.media_id);
    await request(media);
    const second = (await answerFor(media)).data as MediaVariantsStored;
    expect({ ...second, took_ms: 0 }).toEqual({ ...first, took_ms: 0 });
  });

  // Promise [files]: A file that turns out to be broken is rejected, with a sentence for its uploader in
  // `processing_error`.
  it.each([
    [
      'a truncated JPEG',
      async () => (await (await photo(800, 600)).jpeg().toBuffer()).subarray(0, 9000),
      'jpeg',
    ],
    ['noise called PNG', async () => Buffer.from('no picture at all'), 'png'],
    ['a JPEG called HEIC', async () => (await photo(80, 60)).jpeg().toBuffer(), 'heic'],
    [
      'an HLS playlist called MP4',
      async () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
      'mp4',
    ],
  ])('refuses %s with a sentence for its uploader', async (_, make, format) => {
    const media = await upload(await make(), { format, kind: format === 'mp4' ? 'video' : 'image' });
    const { type, data } = await answerFor(media);
    expect(type).toBe('media.processing_failed');
    const { reason } = data as MediaProcessingFailed;
    expect(reason).toMatch(/^The [a-z ]+\.$/);
    expect(await storage.head(objectKeys.variant(media.slug, 'xs', 'jpg'))).toBeNull();
    expect(await filesBelow(await storage.scratchDirectory())).toEqual([]);
  });

  it('refuses a video in VVC and names the codec in the reason', async () => {
    const bench = await Bench.open();
    const input = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:d=0.2:r=10', '-c:v', 'libx265', '-tag:v', 'hvc1'];
    const path = bench.make('hevc.mp4', ...input, '-x265-params', FEW_PICTURES);
    const file = withNames(await readFile(path), { hvc1: 'vvc1', hvcC: 'vvcC' });
    await bench.close();
    const { type, data } = await answerFor(await upload(file, { format: 'mp4', ext: 'mp4', kind: 'video' }));
    expect(type).toBe('media.processing_failed');
    expect((data as MediaProcessingFailed).reason).toMatch(
      /^The file uses a codec that this server cannot decode: vvc1?\.$/,
    );
  });

  it('processes a photograph while files that take too long are processed', async () => {
    const svg = { format: 'svg', mime: 'image/svg+xml', ext: 'svg' };
    const bombs: MediaProcessingRequested[] = [];
    for (let count = 0; count < 2; count++) bombs.push(await upload(svgBomb(), svg));
    const photograph = await upload(await (await photo(800, 600)).jpeg().toBuffer(), {});
    expect((await answerFor(photograph)).type).toBe('media.variants_stored');
    // They are answered one after the other, seconds apart. A photograph that waited for all of them would be
    // answered last.
    expect(bombs.filter(({ media_id }) => heard.has(media_id)).length).toBeLessThan(bombs.length);
    for (const bomb of bombs) {
      expect(await answerFor(bomb)).toMatchObject({
        type: 'media.processing_failed',
        data: { reason: 'The file takes longer to process than is allowed.', overran: true },
      });
    }
  });

  it('publishes media.overran for a file that takes too long as quick work, whose folder looks new until then', async () => {
    const quick = (media: MediaProcessingRequested) =>
      bus.publish(buildEnvelope(mediaProcessingRequested, media));
    const svg = { format: 'svg', mime: 'image/svg+xml', ext: 'svg' };
    const media = await upload(svgBomb(), svg, quick);
    const scratch = await storage.scratchDirectory();
    const path = await eventually(async () => {
      const name = (await readdir(scratch)).find((found) => found.startsWith('variants-'));
      if (name === undefined) throw new Error('No folder yet');
      return join(scratch, name);
    });
    // Other services sweep old folders.
    const { mtimeMs } = await stat(path);
    await eventually(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(mtimeMs));
    expect(await answerFor(media)).toMatchObject({ type: 'media.overran' });
  });

  it('refuses a file whose original no longer exists', async () => {
    const media = await upload(Buffer.from('x'), { key: 'f/nowhere.jpg' });
    expect(await answerFor(media)).toMatchObject({
      type: 'media.processing_failed',
      data: { reason: 'The file no longer exists.' },
    });
  });

  it('keeps working when its workers are killed', async () => {
    const workers = (await promisify(execFile)('pgrep', ['-P', String(service.pid)])).stdout
      .trim()
      .split('\n');
    for (const pid of workers) process.kill(Number(pid), 'SIGKILL');
    const media = await upload(
      await sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
        .webp()
        .toBuffer(),
      { format: 'webp', ext: 'webp' },
    );
    expect((await answerFor(media)).type).toBe('media.variants_stored');
  });

  it('stops cleanly, together with its workers', async () => {
    const workers = (await promisify(execFile)('pgrep', ['-P', String(service.pid)])).stdout
      .trim()
      .split('\n');
    expect(await service.stop('SIGTERM')).toBe(0);
    for (const pid of workers) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
