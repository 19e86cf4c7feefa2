import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import {
  mediaVariantsStored,
  type MediaVariantsStored,
  mediaOverran,
  mediaProgressed,
  mediaProcessingRequested,
  mediaUploaded,
  VARIANT_NAMES,
} from '@vitrine/contracts';
import type { MediaResource } from '@vitrine/contracts/api';
import { buildEnvelope, type MessageTransport } from '@vitrine/messaging';
import { FolderStorage } from '@vitrine/storage';
import { eventually } from '@vitrine/testing';
import { gif, png } from './support/samples';
import { deletionOf, failureOf } from './support/media-messages';
import { uploadFile } from './support/upload-file';
import { type Account, useUploadHost } from './support/upload-host';

describe('the life of a media item', () => {
  const host = useUploadHost({
    SWEEP_INTERVAL_SECONDS: '1',
    CLEANUP_INTERVAL_SECONDS: '1',
    REANNOUNCE_AFTER_SECONDS: '1000',
    ORPHAN_AGE_SECONDS: '1000',
  });
  let account: Account;
  let storage: FolderStorage;
  let bus: MessageTransport;
  const seen: { type: string; slug: string }[] = [];

  beforeAll(async () => {
    account = await host.createAccount();
    storage = new FolderStorage(host.objects);
    bus = await host.connectBus();
    for (const event of [mediaUploaded, mediaProcessingRequested, mediaVariantsStored]) {
      const queue = { name: `test.${event.type}`, routingKey: event.type };
      await bus.declare([queue]);
      await bus.consume(queue.name, 10, async (delivery) => {
        seen.push({ type: event.type, slug: (delivery.envelope.data as { slug: string }).slug });
        await delivery.acknowledge();
      });
    }
    await workOff('media-processor.media.processing_requested');
    await workOff('moderation-service.media.variants_stored');
  });

  /** Simulates a service that takes its messages and does nothing with them. */
  const workOff = (queue: string) => bus.consume(queue, 10, (delivery) => delivery.acknowledge());
  const rowOf = async (slug: string) => {
    const { rows } = await host.database.query('select * from media where slug = $1', [slug]);
    return rows[0];
  };
  const timesSeen = (type: string, slug: string) =>
    seen.filter((event) => event.type === type && event.slug === slug).length;
  const processedOf = (media: MediaResource, overrides: Partial<MediaVariantsStored> = {}) => ({
    media_id: media.id,
    slug: media.slug,
    variants: VARIANT_NAMES.map((name) => ({
      name,
      key: `f/${media.slug}_xs.png`,
      ext: 'png',
      mime: 'image/png',
      width: 1,
      height: 1,
      bytes: 1,
    })),
    thumbhash: 'dGh1bWI=',
    width: 11,
    height: 12,
    duration: null,
    hashes: [{ pdq: '0'.repeat(64), quality: 80, at: 0 }],
    frames: [`frames/${media.slug}/0.jpg`],
    took_ms: 5,
    ...overrides,
  });
  const stored = async (slug: string) => (await host.storedFiles()).filter((name) => name.startsWith(slug));
  const wait = async (slug: string, seconds: number) => {
    await host.database.query(
      `update media set announced_at = now() - $2 * interval '1 second' where slug = $1`,
      [slug, seconds],
    );
    await host.database.query(
      `update processing_turns set requested_at = now() - $2 * interval '1 second'
       where requested_at is not null and media_id = (select id from media where slug = $1)`,
      [slug, seconds],
    );
  };

  it('inspects files in threads of a lower priority than that of requests', async () => {
    const { pid } = host.service;
    const fields = async (thread: string): Promise<string[]> =>
      // The name in parentheses may contain spaces.
      ((await readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')).split(') ').at(-1) ?? '').split(' ');
    const lower = Math.min(constants.priority.PRIORITY_LOW, getPriority(pid) + 5);
    // The threads may still be loading.
    await eventually(async () => {
      const threads = await readdir(`/proc/${pid}/task`);
      const niceness = (await Promise.all(threads.map(fields))).map((found) => Number(found[16]));
      expect(niceness.filter((nice) => nice === lower)).toHaveLength(2);
    });
  });

  it('publishes an event once an upload is committed', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    await eventually(() => expect(timesSeen('media.uploaded', media.slug)).toBe(1));
  });

  // Promise [files]: Results of processing are recorded once, however often the message comes.
  it('records processing results idempotently', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    const envelope = buildEnvelope(mediaVariantsStored, processedOf(media));
    await bus.publish(envelope);
    await bus.publish(envelope);
    await eventually(async () =>
      expect(await rowOf(media.slug)).toMatchObject({
        processed: true,
        processing_error: null,
        thumbhash: 'dGh1bWI=',
        width: 11,
        height: 12,
        frame_keys: [`frames/${media.slug}/0.jpg`],
        hashes: [{ pdq: '0'.repeat(64), quality: 80, at: 0 }],
      }),
    );
  });

  it('keeps the first of two contradictory results', async () => {
    const [made, failed] = [await uploadFile(host, account, gif()), await uploadFile(host, account, gif())];
    await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(made)));
    await bus.publish(failureOf(failed, 'Cannot be decoded.'));
    await eventually(async () => expect((await rowOf(made.slug)).processed).toBe(true));
    await eventually(async () =>
      expect(await rowOf(failed.slug)).toMatchObject({
        processing_error: 'Cannot be decoded.',
        moderation_status: 'rejected',
      }),
    );
    await bus.publish(failureOf(made, 'Cannot be decoded.'));
    await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(failed)));
    await eventually(async () => {
      for (const queue of ['media.variants_stored', 'media.processing_failed']) {
        expect(await bus.depth(`upload-service.${queue}`)).toEqual({ waiting: 0, dead: 0 });
      }
    });
    expect(await rowOf(made.slug)).toMatchObject({ processed: true, processing_error: null });
    expect(await rowOf(failed.slug)).toMatchObject({ processed: false });
  });

  // Promise [files]: Deleting a media item deletes all its files, and no others.
  it('deletes every object of a deleted media item, and no others', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    const other = await uploadFile(host, account, png(4, 4));
    for (const { slug } of [media, other]) {
      await storage.put(`f/${slug}_xs.png`, Buffer.from('x'));
      await storage.put(`f/${slug}_thumb.jpg`, Buffer.from('x'));
      await storage.put(`frames/${slug}/0.jpg`, Buffer.from('x'));
    }
    await host.database.query('delete from media where id = $1', [media.id]);
    await bus.publish(deletionOf(media));
    await eventually(async () => {
      expect(await stored(media.slug)).toEqual([]);
      expect(await storage.head(`frames/${media.slug}/0.jpg`)).toBeNull();
    });
    expect(await stored(other.slug)).toHaveLength(3);
    expect(await storage.head(`frames/${other.slug}/0.jpg`)).not.toBeNull();
  });

  it('deletes variants that are stored after the deletion', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    await host.database.query('delete from media where id = $1', [media.id]);
    await bus.publish(deletionOf(media));
    await eventually(async () => expect(await stored(media.slug)).toEqual([]));
    await storage.put(`f/${media.slug}_xs.png`, Buffer.from('late'));
    await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(media)));
    await eventually(async () => expect(await stored(media.slug)).toEqual([]));
  });

  it('deletes nothing of an existing media item, even after a deletion event', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    await bus.publish(deletionOf({ ...media, id: media.id + 1_000_000 }));
    await eventually(async () => expect((await bus.depth('upload-service.media.deleted')).waiting).toBe(0));
    expect(await stored(media.slug)).toHaveLength(1);
  });

  it('requests waiting media again, at growing intervals', async () => {
    const media = await uploadFile(host, await host.createAccount(), png(4, 4));
    await eventually(() => expect(timesSeen('media.processing_requested', media.slug)).toBe(1));
    await wait(media.slug, 1001);
    await eventually(() => expect(timesSeen('media.processing_requested', media.slug)).toBe(2));
    await wait(media.slug, 2001);
    await eventually(() => expect(timesSeen('media.processing_requested', media.slug)).toBe(3));
  });

  it('reports the number and the oldest age of waiting media as metrics', async () => {
    // Looked-up rows are cached for a moment. A gauge whose reading takes too long has no value.
    const gauge = (name: string): Promise<number> =>
      eventually(async () => {
        const text = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
        return Number(new RegExp(`^${name}{line="quick"} (.*)$`, 'm').exec(text)![1]);
      });
    const waiting = await gauge('vitrine_media_waiting');
    const media = await uploadFile(host, await host.createAccount(), png(4, 4));
    await eventually(async () => expect(await gauge('vitrine_media_waiting')).toBe(waiting + 1));
    expect(await gauge('vitrine_media_waiting_oldest_seconds')).toBeLessThan(3_600);
    await host.database.query(
      `update processing_turns set queued_at = now() - interval '1 day' where media_id = $1`,
      [media.id],
    );
    await eventually(async () =>
      expect(await gauge('vitrine_media_waiting_oldest_seconds')).toBeGreaterThanOrEqual(86_400),
    );
    await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(media)));
    await eventually(async () => expect(await gauge('vitrine_media_waiting')).toBe(waiting));
    expect(await gauge('vitrine_media_waiting_oldest_seconds')).toBeLessThan(3_600);
  });

  it('requests nothing again while the queue has a backlog', async () => {
    const uploader = await host.createAccount();
    const media = await uploadFile(host, uploader, png(4, 4));
    const undecided = await uploadFile(host, uploader, png(4, 4));
    await eventually(() => expect(timesSeen('media.processing_requested', undecided.slug)).toBe(1));
    await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(undecided)));
    await eventually(async () => expect((await rowOf(undecided.slug)).processed).toBe(true));
    await host.database.query(
      `insert into bus.messages (queue, envelope, available_at)
       values ('media-processor.media.processing_requested', '{"id":"waits"}', now() + interval '1 hour')`,
    );
    // Each round looks at the queue first and announces undecided media last. So when one is announced, no round is left that
    // looked at the queue before it had a backlog.
    await wait(undecided.slug, 1001);
    await eventually(() => expect(timesSeen('media.variants_stored', undecided.slug)).toBe(2));
    await wait(media.slug, 9999);
    for (const times of [3, 4]) {
      await wait(undecided.slug, 9999);
      await eventually(() => expect(timesSeen('media.variants_stored', undecided.slug)).toBe(times));
    }
    expect(timesSeen('media.processing_requested', media.slug)).toBe(1);
    await host.database.query(`delete from bus.messages where envelope->>'id' = 'waits'`);
    await eventually(() => expect(timesSeen('media.processing_requested', media.slug)).toBe(2));
  });

  it('announces undecided media again, and no decided ones', async () => {
    const [undecided, decided] = [
      await uploadFile(host, account, gif()),
      await uploadFile(host, account, gif()),
    ];
    for (const media of [undecided, decided]) {
      await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(media)));
      await eventually(async () => expect((await rowOf(media.slug)).processed).toBe(true));
      await eventually(() => expect(timesSeen('media.variants_stored', media.slug)).toBe(1));
    }
    await host.database.query('update media set decided_at = now() where id = $1', [decided.id]);
    await wait(decided.slug, 5000);
    await wait(undecided.slug, 1001);
    await eventually(() => expect(timesSeen('media.variants_stored', undecided.slug)).toBe(2));
    await eventually(async () => expect((await rowOf(undecided.slug)).announcements).toBe(2));
    expect(timesSeen('media.variants_stored', decided.slug)).toBe(1);
  });

  it('records the slug of a file that is stored until its media item is registered', async () => {
    const blocker = await host.database.connect();
    const pending = async () => (await host.database.query('select slug from pending_files')).rows;
    await blocker.query('begin; lock table media in share mode');
    const upload = uploadFile(host, account, png(4, 4));
    await eventually(async () => {
      const [row] = await pending();
      expect(await stored(row.slug)).toHaveLength(1);
    });
    const recorded = await pending();
    await blocker.query('rollback');
    blocker.release();
    expect(recorded).toEqual([{ slug: (await upload).slug }]);
    expect(await pending()).toEqual([]);
  });

  it('removes the files of uploads that did not end, and old scratch files', async () => {
    const media = await uploadFile(host, account, png(4, 4));
    const killed = ['f/Killed1.png', 'f/Killed1_xs.png', 'frames/Killed1/0.jpg'];
    for (const key of [...killed, 'f/Running.png', 'f/Unknown.png']) await storage.put(key, Buffer.from('x'));
    // Each slug was given up long ago, except that of the upload that is running.
    await host.database.query(
      `insert into pending_files (slug, due_at, given_up) values
         ('Killed1', now() - interval '1 hour', true), ($1, now() - interval '1 hour', true), ('Running', now() - interval '1 hour', false)`,
      [media.slug],
    );
    const scratch = await storage.scratchDirectory();
    await mkdir(scratch, { recursive: true });
    await writeFile(join(scratch, 'old'), 'x');
    await writeFile(join(scratch, 'young'), 'x');
    await utimes(join(scratch, 'old'), new Date(0), new Date(0));
    await eventually(async () => {
      const { rows } = await host.database.query('select slug, given_up from pending_files');
      expect(rows).toEqual([{ slug: 'Running', given_up: true }]);
      expect(await host.scratchFiles()).toEqual(['young']);
    });
    expect(await stored('Killed1')).toEqual([]);
    expect(await storage.head('frames/Killed1/0.jpg')).toBeNull();
    for (const slug of ['Running', 'Unknown', media.slug]) expect(await stored(slug)).toHaveLength(1);
    // The count changes when the whole round is over.
    await eventually(async () => {
      const metrics = await (await fetch(`${host.service.managementUrl}/metrics`)).text();
      expect(metrics).toMatch(/vitrine_swept_total\{sweep="pending files",action="removed"[^}]*\} 3/);
    });
  });

  describe('an implausible message of the media-processor', () => {
    const other = 'Other01';
    const forgeries: [string, (media: MediaResource) => Partial<MediaVariantsStored>][] = [
      ['another media item’s slug', () => ({ slug: other })],
      [
        'another media item’s variant',
        (media) => ({ variants: variantsOf(media, { key: `f/${other}_xs.png` }) }),
      ],
      [
        'a key outside of the variants',
        (media) => ({ variants: variantsOf(media, { key: `f/${media.slug}.html` }) }),
      ],
      [
        'a type that browsers show as a page',
        (media) => ({ variants: variantsOf(media, { mime: 'text/html' }) }),
      ],
      [
        'a type that does not match its name',
        (media) => ({ variants: variantsOf(media, { ext: 'svg', key: `f/${media.slug}_xs.svg` }) }),
      ],
      [
        'a video variant of an image',
        (media) => ({
          variants: variantsOf(media, { ext: 'mp4', mime: 'video/mp4', key: `f/${media.slug}_xs.mp4` }),
        }),
      ],
      [
        'the original under another type',
        (media) => ({ variants: variantsOf(media, { key: `f/${media.slug}.png`, mime: 'image/jpeg' }) }),
      ],
      ['one variant fewer than required', (media) => ({ variants: variantsOf(media).slice(1) })],
      [
        'a variant twice',
        (media) => ({ variants: [...variantsOf(media).slice(1), ...variantsOf(media).slice(1, 2)] }),
      ],
      [
        'a variant larger than its size',
        (media) => ({ variants: variantsOf(media, { width: 5000, height: 5000 }) }),
      ],
      ['a variant of no bytes', (media) => ({ variants: variantsOf(media, { bytes: -1 }) })],
      ['no variants at all', () => ({ variants: JSON.parse('null') })],
      ['impossible dimensions', () => ({ width: 1e9 })],
      ['a duration of an image', () => ({ duration: 3 })],
      ['another media item’s frames', () => ({ frames: [`frames/${other}/0.jpg`] })],
      ['a frame outside of the storage', () => ({ frames: ['../../etc/passwd'] })],
      [
        'a frame twice',
        (media) => ({ frames: [`frames/${media.slug}/0.jpg`, `frames/${media.slug}/0.jpg`] }),
      ],
      ['a malformed hash', () => ({ hashes: [{ pdq: 'x'.repeat(64), quality: 80, at: 0 }] })],
      [
        'one hash more than allowed',
        () => ({ hashes: Array(2_001).fill({ pdq: '0'.repeat(64), quality: 80, at: 0 }) }),
      ],
      ['a thumbhash that is no base64', () => ({ thumbhash: '"><script>' })],
    ];
    const variantsOf = (media: MediaResource, changes: object = {}) =>
      processedOf(media).variants.map((variant) => ({ ...variant, ...changes }));

    it('becomes a dead letter and changes nothing', async () => {
      const media = await uploadFile(host, await host.createAccount(), png(4, 4));
      const before = await rowOf(media.slug);
      const queue = 'upload-service.media.variants_stored';
      for (const [, forge] of forgeries) {
        await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(media, forge(media))));
      }
      await bus.publish(failureOf({ ...media, slug: other }, 'No.'));
      await bus.publish(failureOf(media, 'a\nb'));
      await bus.publish(buildEnvelope(mediaOverran, { media_id: media.id, slug: other, took_ms: 1 }));
      const progress = { media_id: media.id, slug: media.slug, percent: 57 };
      for (const wrong of [{ percent: 101 }, { percent: 0.5 }, { slug: other }])
        await bus.publish(buildEnvelope(mediaProgressed, { ...progress, ...wrong }));
      await eventually(async () => {
        expect(await bus.depth(queue)).toEqual({ waiting: 0, dead: forgeries.length });
        expect(await bus.depth('upload-service.media.processing_failed')).toEqual({ waiting: 0, dead: 2 });
        expect(await bus.depth('upload-service.media.overran')).toEqual({ waiting: 0, dead: 1 });
        expect(await bus.depth('upload-service.media.progressed')).toEqual({ waiting: 0, dead: 2 });
      });
      expect(await rowOf(media.slug)).toEqual(before);
      await bus.publish(buildEnvelope(mediaProgressed, progress));
      await eventually(async () => expect((await rowOf(media.slug)).processing_progress).toBe(57));
      await bus.publish(buildEnvelope(mediaVariantsStored, processedOf(media)));
      await eventually(async () => expect((await rowOf(media.slug)).processed).toBe(true));
    });
  });
});
