import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import {
  DeletionHold,
  MediaDeletion,
  MediaModule,
  MediaReading,
  MediaUploads,
  originalKeyOf,
  SharedFiles,
} from '@vitrine/domain';
import { loadConfig } from '@vitrine/runtime';
import { FolderStorage } from '@vitrine/storage';
import { useDomain } from '@vitrine/testing';
import { Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';
import { EqualFilesConfig } from './equal-files.config';
import { EqualFilesSweep } from './equal-files.sweep';
import { PurgeService } from './purge.service';

const always = (): boolean => true;

interface Media {
  readonly id: number;
  readonly slug: string;
  readonly content: Buffer;
}

describe('EqualFilesSweep', () => {
  const domain = useDomain([MediaModule]);
  let folder: string;
  let storage: FolderStorage;
  let registry: Registry;
  let owner: number;
  let count = 0;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitrine-equal-'));
    storage = new FolderStorage(folder);
    const [row] = await sql<{ id: number }>(`insert into users (username) values ('ada') returning id`);
    owner = row!.id;
    await sql(
      `update file_merging set processed_at = '-infinity', media_id = 0, busy_until = now(), holder = null`,
    );
  });
  afterEach(async () => {
    await sql('truncate media, users, shared_files cascade');
    await rm(folder, { recursive: true, force: true });
  });

  const purges = (): PurgeService =>
    new PurgeService(domain.get(MediaReading), domain.get(SharedFiles), domain.get(DeletionHold), storage);
  const sql = <Row>(text: string, parameters: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(text, parameters);
  /** Stores and registers a file whose processing ended so many days ago. */
  const add = async (content: Buffer, days = 2): Promise<Media> => {
    const slug = `E${String(++count).padStart(6, '0')}`;
    await storage.put(`f/${slug}.jpg`, content);
    await storage.put(`f/${slug}_md.jpg`, Buffer.from('variant'));
    const sha256 = createHash('sha256').update(content).digest();
    const { media } = await domain.get(MediaUploads).register(
      {
        ...{ slug, userId: owner, kind: 'image', format: 'jpeg', mime: 'image/jpeg', ext: 'jpg' },
        ...{ width: 1, height: 1, duration: null, frames: 1, unlisted: false },
        ...{ bytes: content.length, receivedSha256: sha256, storedSha256: sha256 },
      },
      { subject: 'user:1', filesPerDay: 1_000_000 },
      null,
    );
    await sql('delete from processing_turns');
    await sql(
      `update media set processed = true, processed_at = now() - $2 * interval '1 day' - interval '1 hour' + id * interval '1 ms'
       where id = $1`,
      [media.id, days],
    );
    return { id: media.id, slug, content };
  };
  const sweep = (env: Readonly<Record<string, string>> = {}): Promise<Readonly<Record<string, number>>> => {
    registry = new Registry();
    return new EqualFilesSweep(
      loadConfig(UploadConfig, { STORAGE_URL: pathToFileURL(folder).href }),
      loadConfig(EqualFilesConfig, env),
      domain.get(SharedFiles),
      purges(),
      domain.get(DeletionHold),
      storage,
      registry,
    ).runOnce(always);
  };
  /** As if the time until second copies are deleted were over. */
  const wait = (): Promise<unknown[]> => sql('update redundant_files set remove_after = now()');
  const remove = async ({ slug }: Media): Promise<void> => {
    await domain.get(MediaDeletion).remove(slug, { userId: owner, role: 'user' });
    await purges().purge(slug);
  };
  const stored = async (): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of storage.list('f/')) if (!key.includes('_')) keys.push(key);
    return keys.sort();
  };
  const read = async ({ id }: Media): Promise<Buffer> => {
    const [row] = await sql<{ slug: string; ext: string; sharedKey: string | null }>(
      'select slug, ext, shared_key as "sharedKey" from media where id = $1',
      [id],
    );
    return buffer(await storage.open(originalKeyOf(row!)));
  };
  const savedBytes = async (): Promise<number | undefined> =>
    (await registry.getSingleMetric('vitrine_merged_files_saved_bytes')?.get())?.values[0]?.value;

  it('stores equal originals once a day after their processing, and deletes the other copies another day later', async () => {
    const content = randomBytes(1000);
    const [first, second] = [await add(content), await add(content)];
    const [young, other] = [await add(content, 0.5), await add(randomBytes(1000))];
    expect(await sweep()).toEqual({ merged: 1, 'second copies removed': 0, 'unused removed': 0 });
    expect(await stored()).toEqual([first, second, young, other].map(({ slug }) => `f/${slug}.jpg`));
    expect(await sweep()).toMatchObject({ merged: 0, 'second copies removed': 0 });
    await wait();
    expect(await sweep()).toMatchObject({ merged: 0, 'second copies removed': 1 });
    expect(await stored()).toEqual([first, young, other].map(({ slug }) => `f/${slug}.jpg`));
    expect(await savedBytes()).toBe(1000);
    for (const media of [first, second, young, other]) expect(await read(media)).toEqual(media.content);
    // Variants stay with their media.
    expect(await storage.head(`f/${second.slug}_md.jpg`)).not.toBeNull();

    await remove(first);
    expect(await read(second)).toEqual(content);
    expect(await storage.head(`f/${first.slug}_md.jpg`)).toBeNull();
    await remove(second);
    expect(await stored()).toEqual([young, other].map(({ slug }) => `f/${slug}.jpg`));
  });

  it('merges nothing while MERGE_EQUAL_FILES_AFTER_SECONDS is 0, but ends what it has begun', async () => {
    const content = randomBytes(10);
    await add(content);
    await add(content);
    expect(await sweep({ MERGE_EQUAL_FILES_AFTER_SECONDS: '0' })).toMatchObject({ merged: 0 });
    expect(await sweep()).toMatchObject({ merged: 1 });
    await wait();
    expect(await sweep({ MERGE_EQUAL_FILES_AFTER_SECONDS: '0' })).toMatchObject({
      'second copies removed': 1,
    });
  });

  it.each([
    ['missing', async (key: string) => storage.delete([key])],
    ['damaged', async (key: string) => storage.put(key, Buffer.from('x'.repeat(10)))],
    ['incomplete', async (key: string) => storage.put(key, Buffer.from('x'))],
  ])('takes the next copy if the object of the oldest one is %s', async (_, damage) => {
    const content = randomBytes(10);
    const [first, second, third] = [await add(content), await add(content), await add(content)];
    await damage(`f/${first.slug}.jpg`);
    expect(await sweep()).toMatchObject({ merged: 1 });
    await wait();
    await sweep();
    expect(await read(second)).toEqual(content);
    expect(await read(third)).toEqual(content);
  });

  it('keeps the second copy if the first one is missing by then', async () => {
    const content = randomBytes(10);
    const [first, second] = [await add(content), await add(content)];
    await sweep();
    await wait();
    await storage.delete([`f/${first.slug}.jpg`]);
    expect(await sweep()).toMatchObject({ 'second copies removed': 0 });
    expect(await stored()).toEqual([`f/${second.slug}.jpg`]);
  });

  it('deletes all other second copies in one run if one must be kept, and postpones that one by a day', async () => {
    await storage.put('f/Kept001.jpg', Buffer.from('x'));
    await sql(
      `insert into shared_files (key, sha256, bytes) values ('f/Kept001.jpg', sha256('a'), 1), ('f/Gone001.jpg', sha256('b'), 1)`,
    );
    // The one that must be kept is the first one due.
    await sql(`
      with copies as (
        insert into media (slug, kind, format, mime, ext, width, height, bytes, received_sha256, stored_sha256, shared_key)
        select 'C' || lpad(n::text, 6, '0'), 'image', 'jpeg', 'image/jpeg', 'jpg', 1, 1, 1, sha256('a'), sha256('a'),
               case n when 0 then 'f/Gone001.jpg' else 'f/Kept001.jpg' end
        from generate_series(0, 120) as n returning id, slug)
      insert into redundant_files (media_id, key, remove_after)
      select id, 'f/' || slug || '.jpg', now() - interval '1 hour' + id * interval '1 ms' from copies`);
    expect(await sweep({ MERGE_EQUAL_FILES_AFTER_SECONDS: '0' })).toMatchObject({
      'second copies removed': 120,
    });
    expect(
      await sql(
        `select key, remove_after > now() + interval '23 hours' as "isPostponed" from redundant_files`,
      ),
    ).toEqual([{ key: 'f/C000000.jpg', isPostponed: true }]);
  });

  it('merges again, without losing or deleting bytes, after the database was restored to a moment before the merge', async () => {
    const content = randomBytes(10);
    const media = [await add(content), await add(content), await add(content)];
    await sweep();
    await wait();
    await sweep();
    expect(await stored()).toHaveLength(1);
    await sql('update media set shared_key = null');
    await sql('delete from shared_files');
    await sql(`update file_merging set processed_at = '-infinity', media_id = 0`);
    const hold = domain.get(DeletionHold);
    await hold.begin();
    expect(await sweep()).toMatchObject({ merged: 2 });
    for (const each of media) expect(await read(each)).toEqual(content);
    await wait();
    expect(await sweep()).toMatchObject({ 'second copies removed': 0 });
    await hold.end();
    expect(await sweep()).toMatchObject({ 'second copies removed': 2 });
  });

  it('never loses bytes that a media item has, and leaves none, in any order of merges and deletions', async () => {
    const contents = [randomBytes(30), randomBytes(40)];
    for (let round = 0; round < 6; round++) {
      let living: Media[] = [];
      while (living.length < 12) living.push(await add(contents[living.length % 2]!));
      const doomed = living.filter((_, index) => (index * 7 + round * 5) % 12 < 7);
      living = living.filter((media) => !doomed.includes(media));
      // Even if a process has lost its right to merge, and doesn't know it.
      const merging = async (): Promise<void> => {
        for (let run = 0; run < 4; run++) {
          await sql('update file_merging set busy_until = now()');
          await sweep();
          await wait();
        }
      };
      await Promise.all([
        merging(),
        merging(),
        (async () => {
          for (const media of doomed.slice(0, 4)) await remove(media);
        })(),
        ...doomed.slice(4).map(remove),
      ]);
      await sweep();
      for (const media of living) expect(await read(media)).toEqual(media.content);
      expect(await stored()).toHaveLength(new Set(living.map(({ content }) => content)).size);
      await Promise.all(living.map(remove));
      expect(await stored()).toEqual([]);
      expect(await sql('select from shared_files')).toEqual([]);
    }
  });
});
