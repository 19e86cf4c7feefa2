import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, findFfmpeg, noisePicture, type OwnStack, startStack } from '@vitrine/testing';
import sharp from 'sharp';

// From an uploaded file to a moderated, served media item: all processes and one bus, seen only through HTTP.

interface Media {
  readonly slug: string;
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly processed: boolean;
  readonly processing_error: string | null;
  readonly moderation_status: string;
  readonly thumbhash: string | null;
  readonly urls: Readonly<Record<string, string>>;
}

/** Words that stand for a place, a person and a device in every sample's metadata. */
const CANARY = 'CANARY-51.5007N';

const folder = mkdtempSync(join(tmpdir(), 'vitrine-slice-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noise = (width: number, height: number): sharp.Sharp =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#4080c0',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  });

/** A photograph as phones store it: rotated, with a place and a name in EXIF. */
const photograph = (): Promise<Buffer> =>
  noise(800, 600)
    .jpeg()
    .withExif({ IFD0: { Artist: CANARY, Make: CANARY }, IFD3: { GPSLatitudeRef: 'N', GPSMapDatum: CANARY } })
    .withMetadata({ orientation: 6 })
    .toBuffer();

const animation = async (): Promise<Buffer> => {
  const frames = await Promise.all(
    ['#c02020', '#20c020', '#2020c0'].map((background) =>
      sharp({ create: { width: 400, height: 300, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: 100, loop: 0 })
    .toBuffer();
};

/**
 * The offset of the matrix in a track header (ISO/IEC 14496-12, 8.3.2), counted from its type; and the matrix of a
 * quarter turn.
 */
const MATRIX_OFFSET = 44;
const QUARTER_TURN = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000];

/** One second of video with a rotation matrix and with a place in its metadata. */
const video = (ext: 'mp4' | 'mov'): Buffer => {
  const path = join(folder, `clip.${ext}`);
  execFileSync(findFfmpeg(), [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=640x360:d=1:r=10', '-pix_fmt', 'yuv420p'],
    ...['-metadata', `location=${CANARY}`, '-metadata', `comment=${CANARY}`, path],
  ]);
  const bytes = readFileSync(path);
  const matrix = bytes.indexOf('tkhd') + MATRIX_OFFSET;
  QUARTER_TURN.forEach((value, i) => bytes.writeInt32BE(value, matrix + i * 4));
  return bytes;
};

const shown = async (url: string): Promise<{ type: string; bytes: Buffer }> => {
  const response = await fetch(url);
  expect({ url, status: response.status }).toEqual({ url, status: 200 });
  return {
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  };
};

class Slice {
  private token = '';

  private constructor(private readonly stack: OwnStack) {}

  static async start(busUrl: string | undefined): Promise<Slice> {
    // On a busy machine, processing takes longer than requests for variants usually wait.
    const env = { FILE_HOLD_SECONDS: '60', ...(busUrl !== undefined && { BUS_URL: busUrl }) };
    return new Slice(await startStack({ env, without: ['website'] }));
  }

  async send(name: string, bytes: Uint8Array): Promise<Media> {
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(bytes)]), name);
    const response = await fetch(this.stack.uploadUrl, {
      method: 'POST',
      body: form,
      headers: this.authorization,
    });
    const { media } = (await response.json()) as { media: Media };
    expect(response.status).toBe(201);
    return media;
  }

  async find(slug: string): Promise<Media> {
    const response = await fetch(`${this.stack.apiUrl}/media/${slug}`, { headers: this.authorization });
    return ((await response.json()) as { data: Media }).data;
  }

  async remove(slug: string): Promise<void> {
    const response = await fetch(`${this.stack.apiUrl}/media/${slug}`, {
      method: 'DELETE',
      headers: this.authorization,
    });
    expect(response.status).toBe(200);
  }

  async decided(slug: string): Promise<Media> {
    return eventually(async () => {
      const media = await this.find(slug);
      expect(media).toMatchObject({ processed: true, processing_error: null });
      expect(media.moderation_status).not.toBe('pending');
      return media;
    });
  }

  /** A moderator's ruling that rejects the media and bans similar pictures. */
  async ban(slug: string): Promise<void> {
    const { session } = await this.stack.createPerson('watcher', { role: 'moderator' });
    const response = await fetch(`${this.stack.apiUrl}/moderation/media/${slug}`, {
      method: 'POST',
      body: JSON.stringify({ status: 'rejected', reason: 'illegal', ban: true }),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${session}` },
    });
    expect(response.status).toBe(200);
  }

  stop(): Promise<void> {
    return this.stack.close();
  }

  private get authorization(): Record<string, string> {
    return this.token === '' ? {} : { Authorization: `Bearer ${this.token}` };
  }

  async signUp(): Promise<void> {
    const post = async (path: string, body: object): Promise<Record<string, string>> => {
      const response = await fetch(this.stack.apiUrl + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...this.authorization },
      });
      expect(response.status).toBe(201);
      return (await response.json()) as Record<string, string>;
    };
    this.token = (await post('/auth/register', { username: 'ada', password: 'a long password' }))['session']!;
    this.token = (await post('/tokens', { name: 'slice', current_password: 'a long password' }))['token']!;
  }
}

/** The tests from an upload to a moderated file. `busUrl` resolves to the bus; undefined is that on PostgreSQL. */
export function wholeSlice(busUrl: () => Promise<string | undefined>): void {
  let slice: Slice;

  beforeAll(async () => {
    slice = await Slice.start(await busUrl());
    await slice.signUp();
  });
  afterAll(() => slice?.stop());

  // Promise [files]: Sizes of photographs are upright.
  it('makes upright variants of a photograph, removes its metadata and moderates it', async () => {
    const uploaded = await slice.send('IMG_0001.JPG', await photograph());
    expect(uploaded).toMatchObject({ type: 'image/jpeg', width: 600, height: 800, processed: false });
    // The links work before the variants exist.
    await Promise.all(Object.values(uploaded.urls).map(shown));

    const media = await slice.decided(uploaded.slug);
    expect(media).toMatchObject({ moderation_status: 'approved', thumbhash: expect.any(String) });
    const edges: Record<string, number> = {
      original: 800,
      xl: 800,
      lg: 800,
      md: 640,
      sm: 320,
      xs: 160,
      thumb: 160,
    };
    for (const [name, url] of Object.entries(media.urls)) {
      const { type, bytes } = await shown(url);
      expect({ name, type }).toEqual({ name, type: 'image/jpeg' });
      expect(bytes.includes(CANARY)).toBe(false);
      const { width, height } = await sharp(bytes)
        .rotate()
        .toBuffer({ resolveWithObject: true })
        .then((r) => r.info);
      expect({ name, longest: Math.max(width, height), upright: height > width }).toEqual({
        name,
        longest: edges[name],
        upright: true,
      });
    }
  });

  it('keeps an animation moving in every size', async () => {
    const { slug } = await slice.send('cat.gif', await animation());
    const media = await slice.decided(slug);
    for (const [name, url] of Object.entries(media.urls)) {
      const { bytes } = await shown(url);
      const { pages = 1 } = await sharp(bytes).metadata();
      expect({ name, pages }).toEqual({ name, pages: name === 'still' ? 1 : 3 });
    }
  });

  it.each(['mp4', 'mov'] as const)(
    'turns a rotated %s upright, in a form that all browsers play',
    async (ext) => {
      const { slug, urls } = await slice.send(`clip.${ext}`, video(ext));
      // The original can't be served instead of the still, so this request waits until it has been made.
      const still = await shown(urls['thumb']!);
      expect([still.type, (await sharp(still.bytes).metadata()).format]).toEqual(['image/jpeg', 'jpeg']);
      const media = await slice.decided(slug);
      expect(media).toMatchObject({ width: 360, height: 640 });
      for (const [name, url] of Object.entries(media.urls)) {
        const { type, bytes } = await shown(url);
        expect(bytes.includes(CANARY)).toBe(false);
        if (name !== 'original')
          expect({ name, type }).toEqual({ name, type: name === 'thumb' ? 'image/jpeg' : 'video/mp4' });
      }
    },
  );

  it('rejects mirrored, rotated, inverted and framed copies of a banned picture', async () => {
    const picture = sharp(await noisePicture(420, 300, 5), { raw: { width: 420, height: 300, channels: 3 } });
    const { slug } = await slice.send('banned.png', await picture.png().toBuffer());
    await slice.decided(slug);
    await slice.ban(slug);
    const border = { top: 40, bottom: 60, left: 20, right: 80, background: '#ffffff' };
    const copies = [
      picture.clone().flop(),
      picture.clone().rotate(90),
      picture.clone().negate(),
      picture.clone().extend(border),
    ].map(async (copy, index) => {
      const sent = await slice.send(`copy-${index}.jpg`, await copy.jpeg({ quality: 70 }).toBuffer());
      return (await slice.decided(sent.slug)).moderation_status;
    });
    expect(await Promise.all(copies)).toEqual(Array(4).fill('rejected'));
    const other = await noisePicture(420, 300, 6);
    const png = await sharp(other, { raw: { width: 420, height: 300, channels: 3 } })
      .png()
      .toBuffer();
    expect((await slice.decided((await slice.send('other.png', png)).slug)).moderation_status).toBe(
      'approved',
    );
  });

  it('deletes every file of a deleted media item', async () => {
    const uploaded = await slice.send('gone.png', await noise(300, 200).png().toBuffer());
    const media = await slice.decided(uploaded.slug);
    await slice.remove(media.slug);
    await eventually(async () => {
      const answers = await Promise.all(Object.values(media.urls).map((url) => fetch(url)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    });
  });
}
