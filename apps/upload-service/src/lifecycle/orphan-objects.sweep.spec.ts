import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Logger } from '@nestjs/common';
import { MediaModule, MediaReading, SharedFiles } from '@vitrine/domain';
import { loadConfig } from '@vitrine/runtime';
import { FolderStorage } from '@vitrine/storage';
import { type DomainContext, startDomain } from '@vitrine/testing';
import { UploadConfig } from '../config/upload.config';
import { OrphanObjectsSweep } from './orphan-objects.sweep';
import { OrphanSweepConfig } from './orphan-sweep.config';

/** More orphans than crashes leave behind. */
const MANY = 1001;
const always = (): boolean => true;

/**
 * A database with one media item and a storage with the objects of a thousand more, as after the database was
 * restored from an old backup and the storage was not.
 */
describe('OrphanObjectsSweep with the database of an old backup', () => {
  let domain: DomainContext;
  let folder: string;
  let storage: FolderStorage;

  beforeAll(async () => {
    domain = await startDomain([MediaModule]);
    folder = await mkdtemp(join(tmpdir(), 'vitrine-orphans-'));
    storage = new FolderStorage(folder);
    Logger.overrideLogger(false);
    await domain.dataSource.query(
      `insert into media (slug, kind, format, mime, ext, width, height, frames, bytes, received_sha256, stored_sha256)
       values ('Known01', 'image', 'png', 'image/png', 'png', 1, 1, 1, 1, $1, $1)`,
      [Buffer.alloc(32)],
    );
    await storage.put('f/Known01.png', Buffer.from('x'));
    await age('f/Known01.png');
  });
  afterAll(async () => {
    await domain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const age = async (key: string): Promise<void> =>
    utimes((await storage.checkOut(key)).path, new Date(0), new Date(0));
  const key = (index: number): string => `f/L${String(index).padStart(6, '0')}.png`;
  const lose = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) {
      await storage.put(key(index), Buffer.from('x'));
      await age(key(index));
    }
  };
  const left = async (): Promise<number> => {
    let count = 0;
    for await (const _ of storage.list('f/')) count++;
    return count;
  };
  const sweep = (ORPHAN_SWEEP: string): OrphanObjectsSweep =>
    new OrphanObjectsSweep(
      loadConfig(UploadConfig, { STORAGE_URL: pathToFileURL(folder).href }),
      loadConfig(OrphanSweepConfig, { ORPHAN_SWEEP }),
      domain.get(MediaReading),
      domain.get(SharedFiles),
      storage,
    );

  it('removes nothing if most objects are orphans, unless ORPHAN_SWEEP is unlimited', async () => {
    await lose(MANY);
    expect(await sweep('on').runOnce(always)).toEqual({ kept: MANY });
    expect(await left()).toBe(MANY + 1);
    expect(await sweep('off').runOnce(always)).toEqual({});
    expect(await left()).toBe(MANY + 1);
    expect(await sweep('unlimited').runOnce(always)).toEqual({ removed: MANY });
    expect(await left()).toBe(1);
  });

  it('removes a few orphans, and none while it is off', async () => {
    await lose(3);
    expect(await sweep('off').runOnce(always)).toEqual({});
    expect(await left()).toBe(4);
    expect(await sweep('on').runOnce(always)).toEqual({ removed: 3 });
    expect(await left()).toBe(1);
  });

  it('keeps an object that other media share although the media item with its slug is deleted', async () => {
    await lose(2);
    const sql = (text: string): Promise<unknown> => domain.dataSource.query(text, [key(0)]);
    await sql(`insert into shared_files (key, sha256, bytes) values ($1, sha256(decode('00', 'hex')), 1)`);
    await sql('update media set shared_key = $1');
    expect(await sweep('on').runOnce(always)).toEqual({ removed: 1 });
    expect(await storage.head(key(0))).not.toBeNull();
    await domain.dataSource.query('update media set shared_key = null');
    await sql('delete from shared_files where key = $1');
    expect(await sweep('on').runOnce(always)).toEqual({ removed: 1 });
  });

  it('removes nothing if it must stop before the listing is complete', async () => {
    await lose(3);
    let asked = 0;
    expect(await sweep('unlimited').runOnce(() => ++asked < 3)).toEqual({});
    expect(asked).toBe(3);
    expect(await left()).toBe(4);
  });

  it('stops between two batches of removals on request', async () => {
    await lose(MANY);
    const removals = jest.spyOn(storage, 'delete');
    const result = await sweep('unlimited').runOnce(() => removals.mock.calls.length === 0);
    removals.mockRestore();
    expect(result).toEqual({ removed: 1000 });
    expect(await left()).toBe(2);
  });
});
