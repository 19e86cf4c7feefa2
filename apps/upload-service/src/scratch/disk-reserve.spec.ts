import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Logger } from '@nestjs/common';
import { TooManyRequestsError } from '@vitrine/domain';
import { FolderStorage } from '@vitrine/storage';
import { Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';
import { DiskReserve } from './disk-reserve';

const FULL = { because: 'storage_full' };

const ALICE = { address: '192.0.2.1', account: 'user:1' };
const BOB = { address: '192.0.2.2', account: 'user:2' };

describe('DiskReserve', () => {
  let free: number;
  beforeEach(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { bavail, bsize } = await statfs(tmpdir());
    free = bavail * bsize;
  });
  afterEach(() => jest.restoreAllMocks());

  const reserve = (storageReserveBytes: number): DiskReserve => {
    const config = Object.assign(new UploadConfig(), { storageReserveBytes });
    return new DiskReserve(new FolderStorage(tmpdir()), config, new Registry());
  };

  it('refuses uploads that would leave less than the reserve, and logs it once', async () => {
    const disk = reserve(free * 2);
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(disk.claim(ALICE, 1)).rejects.toMatchObject(FULL);
    expect(Logger.prototype.warn).toHaveBeenCalledTimes(1);
    await reserve(0).claim(ALICE, 1);
  });

  /** Bytes of a file that needs this part of the disk. A file needs its size twice. */
  const file = (part: number): number => Math.floor((free * part) / 2);

  it('counts what uploads in progress have announced, until they end', async () => {
    const disk = reserve(0);
    const claim = await disk.claim(ALICE, file(0.6));
    await expect(disk.claim(BOB, file(0.6))).rejects.toMatchObject(FULL);
    claim.release();
    claim.release();
    await disk.claim(BOB, file(0.6));
    await expect(disk.claim(ALICE, file(0.6))).rejects.toMatchObject(FULL);
  });

  it('does not count what has arrived, because the disk shows it, but the room for the copy', async () => {
    const disk = reserve(0);
    const claim = await disk.claim(ALICE, file(0.6));
    claim.arrived(file(0.6));
    claim.arrived(file(0.6));
    await disk.claim(BOB, file(0.6));
    await expect(disk.claim(BOB, file(0.2))).rejects.toMatchObject(FULL);
  });

  // Promise [security]: One caller’s uploads leave disk space for others.
  it.each([
    ['address', { address: ALICE.address, account: 'user:3' }],
    ['account', { address: '192.0.2.3', account: ALICE.account }],
  ])('leaves others as much as one %s has claimed', async (_, other) => {
    const disk = reserve(0);
    await disk.claim(ALICE, file(0.4));
    await expect(disk.claim(other, file(0.3))).rejects.toThrow(TooManyRequestsError);
    await disk.claim(BOB, file(0.4));
  });

  it('lets all uploads without a token together have the share of one account, and an owner have the rest', async () => {
    const disk = reserve(0);
    const unknown = (host: number) => ({ address: `192.0.2.${host}`, account: null });
    const claims = [await disk.claim(unknown(1), file(0.2)), await disk.claim(unknown(2), file(0.2))];
    await expect(disk.claim(unknown(3), file(0.3))).rejects.toThrow(TooManyRequestsError);
    await claims[0]!.replace(ALICE, file(0.4));
    await disk.claim(unknown(3), file(0.1));
    await expect(claims[1]!.replace(BOB, file(0.9))).rejects.toMatchObject(FULL);
  });

  it('notices during an upload that the reserve is used up', async () => {
    const config = Object.assign(new UploadConfig(), { storageReserveBytes: 0 });
    const disk = new DiskReserve(new FolderStorage(tmpdir()), config, new Registry());
    const claim = await disk.claim(ALICE, 1);
    await claim.check();
    config.storageReserveBytes = free * 2;
    await expect(claim.check()).rejects.toMatchObject(FULL);
  });
});
