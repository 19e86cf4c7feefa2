import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Logger } from '@nestjs/common';
import { FolderStorage } from '@vitrine/storage';
import { Registry } from 'prom-client';
import { UploadConfig } from '../config/upload.config';
import { DiskReserve } from './disk-reserve';

const FULL = { because: 'storage_full' };

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
    for (let attempt = 0; attempt < 3; attempt++) await expect(disk.claim(1)).rejects.toMatchObject(FULL);
    expect(Logger.prototype.warn).toHaveBeenCalledTimes(1);
    await reserve(0).claim(1);
  });

  it('counts what uploads in progress have announced', async () => {
    const disk = reserve(0);
    // A file needs its size twice.
    const file = Math.floor(free * 0.3);
    const claim = await disk.claim(file);
    await expect(disk.claim(file)).rejects.toMatchObject(FULL);
    claim.release();
    claim.release();
    await disk.claim(file);
    await expect(disk.claim(file)).rejects.toMatchObject(FULL);
  });

  it('notices during an upload that the reserve is used up', async () => {
    const config = Object.assign(new UploadConfig(), { storageReserveBytes: 0 });
    const disk = new DiskReserve(new FolderStorage(tmpdir()), config, new Registry());
    const claim = await disk.claim(1);
    await claim.check();
    config.storageReserveBytes = free * 2;
    await expect(claim.check()).rejects.toMatchObject(FULL);
  });
});
