import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  eventually,
  findFfmpeg,
  type Person,
  type S3Fault,
  type OwnStack,
  startS3,
  startStack,
  type TestS3,
} from '@vitrine/testing';
import sharp from 'sharp';

// Black-box tests of the whole life of files in a bucket, and of the answers while the bucket is unavailable.

interface Media {
  readonly slug: string;
  readonly processed: boolean;
  readonly processing_error: string | null;
  readonly moderation_status: string;
  readonly urls: Readonly<Record<string, string>>;
}

const PREFIX = 'media';
const REFUSED: S3Fault = { kind: 'refuse', status: 503, code: 'SlowDown' };
/** The SDK doesn't repeat this request. */
const DENIED: S3Fault = { kind: 'refuse', status: 403, code: 'AccessDenied' };

const photograph = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 700,
      height: 500,
      channels: 3,
      background: '#4080c0',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg({ quality: 90 })
    .toBuffer();

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('files in a bucket', () => {
  let folder: string;
  let s3: TestS3;
  let stack: OwnStack;
  let anna: Person;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-s3-'));
    s3 = await startS3();
    stack = await startStack({
      env: {
        ...s3.settings(PREFIX),
        VITRINE_DATA_DIR: folder,
        BUS_RETRY_DELAYS_MS: '50,50,50,50',
        REANNOUNCE_AFTER_SECONDS: '3600',
      },
      without: ['website'],
    });
    anna = await stack.createPerson('anna');
  });
  afterEach(() => s3.setFault(null));
  afterAll(async () => {
    await stack.close();
    await s3.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const authorization = (): { Authorization: string } => ({ Authorization: `Bearer ${anna.session}` });
  const send = (bytes: Uint8Array, name = 'a.jpg'): Promise<Response> => {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(bytes)]), name);
    return fetch(stack.uploadUrl, { method: 'POST', body: form, headers: authorization() });
  };
  const upload = async (bytes: Uint8Array, name?: string): Promise<Media> => {
    const response = await send(bytes, name);
    const body = (await response.json()) as { media: Media };
    expect({ status: response.status, body }).toMatchObject({ status: 201 });
    return body.media;
  };
  const read = async (slug: string): Promise<Media> => {
    const response = await fetch(`${stack.apiUrl}/media/${slug}`, { headers: authorization() });
    return ((await response.json()) as { data: Media }).data;
  };
  const decided = (slug: string): Promise<Media> =>
    eventually(async () => {
      const media = await read(slug);
      expect(media).toMatchObject({ processed: true });
      expect(media.moderation_status).not.toBe('pending');
      return media;
    });
  const bytesOf = async (url: string): Promise<Buffer> => {
    const response = await fetch(url);
    expect({ url, status: response.status }).toEqual({ url, status: 200 });
    return Buffer.from(await response.arrayBuffer());
  };
  const keysOf = (slug: string): readonly string[] => s3.keys().filter((key) => key.includes(slug));
  /** Except the folders of running workers. */
  const scratchFiles = async (): Promise<string[]> =>
    (await readdir(join(folder, 'scratch'))).filter((name) => !name.startsWith('vitrine-worker-'));
  const metric = async (service: 'upload-service' | 'media-processor', line: string): Promise<number> => {
    const text = await (await fetch(`${stack.services.get(service)!.managementUrl}/metrics`)).text();
    return Number(
      new RegExp(`^vitrine_storage_operation_seconds_count{${line}} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    );
  };

  // Promise [files]: Files can be stored in an S3 bucket, and are served with the same bytes.
  it('are accepted, processed, moderated and served with the same bytes', async () => {
    const media = await upload(await photograph());
    const done = await decided(media.slug);

    const [row] = await stack.sql<{ stored: string }>(
      `select encode(stored_sha256, 'hex') as stored from media where slug = $1`,
      [media.slug],
    );
    const original = await bytesOf(done.urls['original']!);
    expect(sha256(original)).toBe(row?.stored);
    for (const url of Object.values(done.urls)) {
      expect((await sharp(await bytesOf(url)).metadata()).width).toBeGreaterThan(0);
    }
    expect(keysOf(media.slug)).toEqual(
      expect.arrayContaining([`${PREFIX}/f/${media.slug}.jpg`, `${PREFIX}/f/${media.slug}_xs.jpg`]),
    );
    await eventually(async () => expect(await scratchFiles()).toEqual([]));
    expect(await metric('upload-service', 'operation="add_new",outcome="ok"')).toBeGreaterThan(0);
    expect(await metric('media-processor', 'operation="check_out",outcome="ok"')).toBeGreaterThan(0);
  });

  it('answer conditions and ranges', async () => {
    const { urls } = await decided((await upload(await photograph())).slug);
    for (const url of [urls['original']!, urls['xs']!]) {
      const whole = await fetch(url);
      const bytes = Buffer.from(await whole.arrayBuffer());
      const etag = whole.headers.get('etag')!;
      expect(whole.headers.get('content-length')).toBe(String(bytes.length));
      expect((await fetch(url, { headers: { 'If-None-Match': etag } })).status).toBe(304);
      const head = await fetch(url, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      for (const [range, from, to] of [
        ['bytes=100-299', 100, 299],
        ['bytes=-50', bytes.length - 50, bytes.length - 1],
        [`bytes=${bytes.length - 7}-`, bytes.length - 7, bytes.length - 1],
      ] as const) {
        const part = await fetch(url, { headers: { Range: range, 'If-Range': etag } });
        expect([part.status, part.headers.get('content-range')]).toEqual([
          206,
          `bytes ${from}-${to}/${bytes.length}`,
        ]);
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to + 1))).toBe(true);
      }
      expect((await fetch(url, { headers: { Range: `bytes=${bytes.length}-` } })).status).toBe(416);
    }
  });

  it('are uploaded in parts if they are large, and are deleted with their media', async () => {
    const path = join(folder, 'clip.mp4');
    execFileSync(findFfmpeg(), [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=320x240:d=2:r=10', '-f', 'lavfi', '-i'],
      // Noise as sound, which hardly compresses: larger than one part of a multipart upload.
      ...[
        'anoisesrc=d=30',
        '-pix_fmt',
        'yuv420p',
        '-c:a',
        'pcm_s16le',
        '-ar',
        '96000',
        path.replace('mp4', 'mov'),
      ],
    ]);
    const bytes = await readFile(path.replace('mp4', 'mov'));
    expect(bytes.length).toBeGreaterThan(5 * 1024 * 1024);
    const media = await upload(bytes, 'clip.mov');
    const { urls } = await decided(media.slug);
    expect((await bytesOf(urls['original']!)).length).toBe(bytes.length);
    expect((await sharp(await bytesOf(urls['thumb']!)).metadata()).format).toBe('jpeg');
    expect((await bytesOf(urls['md']!)).length).toBeGreaterThan(0);
    expect(s3.openUploads()).toEqual([]);

    await fetch(`${stack.apiUrl}/media/${media.slug}`, { method: 'DELETE', headers: authorization() });
    await eventually(async () =>
      expect((await fetch(urls['original']!, { method: 'HEAD' })).status).toBe(404),
    );
    await eventually(() => expect(keysOf(media.slug)).toEqual([]));
  });

  // Promise [files]: While the bucket is unreachable, uploads give 503 and nothing is stored partly.
  it('are refused with 503 while the bucket is unreachable; nothing is stored partly, and uploads work afterwards', async () => {
    const kept = await decided((await upload(await photograph())).slug);
    const [keys, before] = [s3.keys(), await stack.sql('select id from media')];
    s3.setFault(() => REFUSED);
    for (const refusal of [await send(await photograph()), await fetch(kept.urls['original']!)]) {
      expect(refusal.status).toBe(503);
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refusal.headers.get('cache-control')).toBe('no-store');
      expect(refusal.headers.get('etag')).toBeNull();
      expect(await refusal.json()).toEqual({ message: 'Service unavailable, please retry.' });
    }
    // Every process still serves requests that don't need the bucket.
    for (const service of stack.services.values()) {
      expect((await fetch(`${service.managementUrl}/health/ready`)).status).toBe(200);
    }
    expect(await metric('upload-service', 'operation="add_new",outcome="failed"')).toBeGreaterThan(0);
    s3.setFault(null);
    expect(s3.keys()).toEqual(keys);
    expect(await stack.sql('select id from media')).toEqual(before);
    await eventually(async () => expect(await scratchFiles()).toEqual([]));
    await bytesOf(kept.urls['original']!);
    await decided((await upload(await photograph())).slug);
  });

  it('are processed later if the storage fails for a while', async () => {
    let refused = 0;
    const duringProcessing = ({ url = '', method }: IncomingMessage): boolean =>
      method === 'GET' || (method === 'PUT' && /_xs\./.test(url));
    // More failures than tries of a message; the first variants are stored twice.
    s3.setFault((request) => (duringProcessing(request) && refused++ < 12 ? DENIED : undefined));
    const { slug } = await upload(await photograph());
    const media = await decided(slug);
    expect(refused).toBeGreaterThan(12);
    expect(media.processing_error).toBeNull();
    expect(media.moderation_status).toBe('approved');
    await bytesOf(media.urls['xs']!);
  });

  it('serve files completely or visibly incomplete when reads break', async () => {
    const { urls } = await decided((await upload(await photograph())).slug);
    const unread = (await decided((await upload(await photograph())).slug)).urls;
    const whole = await bytesOf(urls['original']!);
    s3.setFault(({ method }) => (method === 'GET' ? { kind: 'break-off', afterBytes: 20_000 } : undefined));
    expect((await bytesOf(urls['original']!)).equals(whole)).toBe(true);
    s3.setFault(({ method, headers }) =>
      method !== 'GET' ? undefined : headers.range ? DENIED : { kind: 'break-off', afterBytes: 20_000 },
    );
    await expect(fetch(unread['original']!).then((response) => response.arrayBuffer())).rejects.toThrow();
    // A file that is read often is read completely before the response begins.
    expect((await fetch(urls['original']!)).status).toBe(503);
  });
});
