import { randomSlug } from '@vitrine/domain';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  mediaVariantsStored,
  type MediaVariantsStored,
  objectKeys,
  type PerceptualHash,
} from '@vitrine/contracts';
import { buildEnvelope, type MessageTransport } from '@vitrine/messaging';
import { createTransport } from '@vitrine/outbox';
import { FolderStorage } from '@vitrine/storage';
import {
  createTestDatabase,
  eventually,
  type ServiceProcess,
  startService,
  type TestDatabase,
} from '@vitrine/testing';
import { Client } from 'pg';
import sharp from 'sharp';

/** Tests the built process through the bus: a message leads to a decision in the database and an event. */
describe('moderation-service', () => {
  let database: TestDatabase;
  let sql: Client;
  let folder: string;
  let storage: FolderStorage;
  let bus: MessageTransport;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    folder = await mkdtemp(join(tmpdir(), 'vitrine-moderation-'));
    storage = new FolderStorage(folder);
    bus = createTransport({ url: database.url, publishTimeoutMs: 5_000 }, 'spec');
    await start();
    await bus.connect();
  });

  afterAll(async () => {
    await service?.stop('SIGKILL');
    await bus?.close();
    await sql?.end();
    await database?.drop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    service = await startService('moderation-service', {
      env: {
        DATABASE_URL: database.url,
        STORAGE_URL: pathToFileURL(folder).href,
        BUS_RETRY_DELAYS_MS: '50,50',
      },
    });
  }

  async function addMedia(): Promise<{ id: number; slug: string }> {
    const slug = randomSlug();
    const { rows } = await sql.query<{ id: string }>(
      `insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256)
       values ($1, 'image', 'jpeg', 'image/jpeg', 'jpg', 10, 10, 100, $2, $2) returning id`,
      [slug, randomBytes(32)],
    );
    return { id: Number(rows[0]?.id), slug };
  }

  /** Stores safe frames, as media-processor does. */
  async function putFrames(slug: string, count: number): Promise<string[]> {
    const keys = Array.from({ length: count }, (_, index) => objectKeys.moderationFrame(slug, index));
    for (const [index, key] of keys.entries()) {
      const background = { r: 40, g: 90 + index, b: 160 };
      await storage.put(
        key,
        await sharp({ create: { width: 320, height: 240, channels: 3, background } })
          .jpeg()
          .toBuffer(),
      );
    }
    return keys;
  }

  const announce = (
    { id, slug }: { id: number; slug: string },
    frames: readonly string[],
    hashes: readonly PerceptualHash[] = [],
  ): Promise<void> => {
    const data: MediaVariantsStored = {
      media_id: id,
      slug,
      variants: [],
      thumbhash: '',
      width: 10,
      height: 10,
      duration: null,
      hashes,
      frames,
      took_ms: 1,
    };
    return bus.publish(buildEnvelope(mediaVariantsStored, data));
  };

  /** Bans a picture, as moderators do. */
  const ban = (pdq: Buffer): Promise<unknown> =>
    sql.query(
      `with ban as (insert into banned_hashes (kind, hash, reason) values ('pdq', $1, 'spec'))
       update banned_hashes_version set version = version + 1`,
      [pdq],
    );

  interface Decision {
    readonly to_status: string;
    readonly reason: string;
  }
  const decisionsOn = async (id: number): Promise<Decision[]> => {
    const { rows } = await sql.query<Decision>(
      `select to_status, reason from moderation_decisions where subject = 'media' and subject_id = $1 order by id`,
      [id],
    );
    return rows;
  };
  const decided = (id: number, expected: Decision): Promise<void> =>
    eventually(async () => expect(await decisionsOn(id)).toEqual([expected]));
  /** Has the process that runs now classify a picture. */
  const approveOne = async (): Promise<void> => {
    const media = await addMedia();
    await announce(media, await putFrames(media.slug, 1));
    await decided(media.id, { to_status: 'approved', reason: 'classifier_safe' });
  };
  const drained = (): Promise<void> =>
    eventually(async () => {
      expect((await bus.depth('moderation-service.media.variants_stored')).waiting).toBe(0);
    });

  it('approves a safe picture and a safe animation and publishes the decisions', async () => {
    const [still, animation] = [await addMedia(), await addMedia()];
    const heard: unknown[] = [];
    await bus.declare([{ name: 'spec.media.moderated', routingKey: 'media.moderated' }]);
    const subscription = await bus.consume('spec.media.moderated', 10, async (delivery) => {
      heard.push(delivery.envelope.data);
      await delivery.acknowledge();
    });
    await announce(still, await putFrames(still.slug, 1));
    await announce(animation, await putFrames(animation.slug, 12));
    await decided(still.id, { to_status: 'approved', reason: 'classifier_safe' });
    await decided(animation.id, { to_status: 'approved', reason: 'classifier_safe' });
    await eventually(() =>
      expect(heard).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            slug: still.slug,
            from: 'pending',
            to: 'approved',
            decided_by: 'system',
          }),
          expect.objectContaining({ slug: animation.slug, to: 'approved' }),
        ]),
      ),
    );
    await subscription.drain();
  });

  // Promise [moderation]: Automation decides once for each media item.
  it('decides once if a message is delivered three times', async () => {
    const media = await addMedia();
    const frames = await putFrames(media.slug, 1);
    await Promise.all([announce(media, frames), announce(media, frames), announce(media, frames)]);
    await decided(media.id, { to_status: 'approved', reason: 'classifier_safe' });
    await drained();
    expect(await decisionsOn(media.id)).toHaveLength(1);
  });

  it('rejects a picture that has just been banned', async () => {
    const media = await addMedia();
    const pdq = randomBytes(32);
    await ban(pdq);
    pdq[0] = (pdq[0] ?? 0) ^ 0xff;
    await announce(media, [], [{ pdq: pdq.toString('hex'), quality: 75, at: 0 }]);
    await decided(media.id, { to_status: 'rejected', reason: 'banned_hash' });
  });

  it('rejects a banned picture that was turned and inverted', async () => {
    const media = await addMedia();
    const [banned, turned] = [randomBytes(32), randomBytes(7 * 32)];
    await ban(banned);
    Buffer.from(banned.map((byte) => ~byte)).copy(turned, 3 * 32);
    const hash = {
      pdq: randomBytes(32).toString('hex'),
      quality: 75,
      at: 0,
      turned: turned.toString('base64'),
    };
    await announce(media, [], [hash]);
    await decided(media.id, { to_status: 'rejected', reason: 'banned_hash' });
  });

  it.each([
    ['whose frames are missing', async (slug: string) => [objectKeys.moderationFrame(slug, 0)]],
    [
      'whose frame is not a JPEG file',
      async (slug: string) => {
        const key = objectKeys.moderationFrame(slug, 0);
        await storage.put(key, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
        return [key];
      },
    ],
    ['without frames', async () => []],
  ])('leaves a media item %s to the moderators', async (_, prepare) => {
    const media = await addMedia();
    await announce(media, await prepare(media.slug));
    await decided(media.id, { to_status: 'pending', reason: 'classifier_failed' });
    const { rowCount } = await sql.query('select 1 from moderation_queue where media_id = $1', [media.id]);
    expect(rowCount).toBe(1);
  });

  it('does not decide if a message of media-processor is implausible', async () => {
    const [media, other] = [await addMedia(), await addMedia()];
    const frames = await putFrames(other.slug, 1);
    const { dead } = await bus.depth('moderation-service.media.variants_stored');
    const malformed = [{ pdq: 'a', quality: 90, at: 0 }];
    await announce({ id: media.id, slug: other.slug }, frames);
    await announce(media, frames);
    await announce(media, ['../../etc/passwd']);
    await announce(media, await putFrames(media.slug, 1), malformed);
    await eventually(async () => {
      expect(await bus.depth('moderation-service.media.variants_stored')).toEqual({
        waiting: 0,
        dead: dead + 4,
      });
    });
    expect(await decisionsOn(media.id)).toEqual([]);
    await announce(media, await putFrames(media.slug, 1));
    await decided(media.id, { to_status: 'approved', reason: 'classifier_safe' });
  });

  it('acknowledges a message about a deleted media item', async () => {
    await announce({ id: 999_999_999, slug: 'gone123' }, ['frames/gone123/0.jpg']);
    await drained();
    const dead = await bus.listDeadLetters('moderation-service.media.variants_stored');
    expect(dead.filter(({ envelope }) => JSON.stringify(envelope.data).includes('gone123'))).toEqual([]);
  });

  it('after a restart decides on media announced while it was down, and on the one it was killed at', async () => {
    const media: { id: number; slug: string }[] = [];
    for (let index = 0; index < 6; index++) media.push(await addMedia());
    for (const one of media) await announce(one, await putFrames(one.slug, 6));
    const decidedAny = async (): Promise<void> => {
      const counts = await sql.query('select 1 from moderation_decisions where subject_id = any($1)', [
        media.map(({ id }) => id),
      ]);
      expect(counts.rowCount).toBeGreaterThan(0);
    };
    await eventually(decidedAny);
    await service.stop('SIGKILL');
    await start();
    // The bus redelivers the messages of a killed consumer when its lease has expired.
    for (const { id } of media) await decided(id, { to_status: 'approved', reason: 'classifier_safe' });
  });

  it('classifies in processes of a lower priority than that of the services', async () => {
    await approveOne();
    const { pid } = service;
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
      .trim()
      .split(' ')
      .map(Number);
    const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority(pid) + 5);
    expect(children.map((child) => getPriority(child))).toContain(lower);
  });

  it('reports its health and its metrics', async () => {
    await eventually(async () =>
      expect(await (await fetch(`${service.managementUrl}/health/ready`)).json()).toEqual({
        status: 'up',
        checks: { database: 'up', bus: 'up', classifier: 'up' },
      }),
    );
    await approveOne();
    // A decision is counted after its transaction.
    await eventually(async () => {
      const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text();
      expect(metrics).toMatch(
        /vitrine_moderation_decisions_total\{status="approved",reason="classifier_safe"\} [1-9]/,
      );
      expect(metrics).toMatch(/vitrine_classifier_seconds_count [1-9]/);
    });
  });

  it('stops on SIGTERM', async () => {
    await expect(service.stop('SIGTERM')).resolves.toBe(0);
  });
});
