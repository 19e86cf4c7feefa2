import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  mediaFailed,
  mediaProcessed,
  mediaUploaded,
  objectKeys,
  type EventEnvelope,
  type MediaFailed,
  type MediaProcessed,
  type MediaUploaded,
} from '@vitrine/contracts';
import { buildEnvelope, createTransport, type MessageTransport } from '@vitrine/messaging';
import { FolderStorage } from '@vitrine/storage';
import {
  createTestDatabase,
  eventually,
  type ServiceProcess,
  startService,
  type TestDatabase,
} from '@vitrine/testing';
import sharp from 'sharp';
import { photo } from './samples/pictures';

jest.setTimeout(120_000);

/** The built process, over the bus: a message and an original in, variants in the storage and an event out. */
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
      env: { BUS_URL: database.url, STORAGE_URL: pathToFileURL(folder).href, BUS_RETRY_DELAYS_MS: '50,50' },
    });
    for (const { type } of [mediaProcessed, mediaFailed]) {
      const queue = { name: `spec.${type}`, routingKey: type };
      await bus.declare([queue]);
      await bus.consume(queue.name, 10, async (delivery) => {
        const { media_id } = delivery.envelope.data as MediaFailed;
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

  async function upload(file: Buffer, facts: Partial<MediaUploaded>): Promise<MediaUploaded> {
    const media_id = nextId++;
    const slug = `m${String(media_id).padStart(6, '0')}`;
    const ext = facts.ext ?? 'jpg';
    const key = objectKeys.original(slug, ext);
    await storage.put(key, file);
    const media: MediaUploaded = {
      ...{ media_id, slug, key, ext, kind: 'image', format: 'jpeg', mime: 'image/jpeg', bytes: file.length },
      ...{ width: 1, height: 1, frames: 1, duration: null },
      ...facts,
    };
    await bus.publish(buildEnvelope(mediaUploaded, media));
    return media;
  }

  const answerFor = ({ media_id }: MediaUploaded): Promise<EventEnvelope> =>
    eventually(() => {
      const [envelope] = heard.get(media_id) ?? [];
      if (!envelope) throw new Error(`No answer for ${media_id}. ${service.output().slice(-2000)}`);
      return envelope;
    }, 60_000);

  it('makes every variant of a photograph, and tells of it', async () => {
    const media = await upload(await (await photo(300, 225)).resize(2400).jpeg().toBuffer(), {});
    const { type, data } = await answerFor(media);
    expect(type).toBe('media.processed');
    const processed = data as MediaProcessed;
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
      { pdq: expect.stringMatching(/^[0-9a-f]{64}$/), quality: expect.any(Number), at: 0 },
    ]);
    expect(await readdir(await storage.scratchDirectory())).toEqual([]);
  });

  it('changes nothing when the same message comes again', async () => {
    const media = await upload(await (await photo(500, 400)).png().toBuffer(), { format: 'png', ext: 'png' });
    const first = (await answerFor(media)).data as MediaProcessed;
    heard.delete(media.media_id);
    await bus.publish(buildEnvelope(mediaUploaded, media));
    const second = (await answerFor(media)).data as MediaProcessed;
    expect({ ...second, took_ms: 0 }).toEqual({ ...first, took_ms: 0 });
  });

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
  ])('gives up on %s with a sentence for its uploader', async (_, make, format) => {
    const media = await upload(await make(), { format, kind: format === 'mp4' ? 'video' : 'image' });
    const { type, data } = await answerFor(media);
    expect(type).toBe('media.failed');
    const { reason } = data as MediaFailed;
    expect(reason).toMatch(/^The [a-z ]+\.$/);
    expect(await storage.head(objectKeys.variant(media.slug, 'xs', 'jpg'))).toBeNull();
    expect(await readdir(await storage.scratchDirectory())).toEqual([]);
  });

  it('gives up where the original is gone', async () => {
    const media = await upload(Buffer.from('x'), { key: 'f/nowhere.jpg' });
    expect(await answerFor(media)).toMatchObject({
      type: 'media.failed',
      data: { reason: 'The file is no longer there.' },
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
    expect((await answerFor(media)).type).toBe('media.processed');
  });

  it('stops cleanly, and takes its workers along', async () => {
    const workers = (await promisify(execFile)('pgrep', ['-P', String(service.pid)])).stdout
      .trim()
      .split('\n');
    expect(await service.stop('SIGTERM')).toBe(0);
    for (const pid of workers) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
