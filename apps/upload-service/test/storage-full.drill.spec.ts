import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeUnless, eventually } from '@vitrine/testing';
import { MULTIPART_TYPE, multipart, RawConnection } from './support/raw-http';
import { png } from './support/samples';
import { type Account, startUploadHost, type UploadHost } from './support/upload-host';

const KIB = 1024;
const DISK_KIB = 600;
const RESERVE_KIB = 200;

/** Mounts a disk that is small enough for a test to fill; returns false if mounting is not allowed. */
function mountSmallDisk(folder: string): boolean {
  try {
    const options = `size=${DISK_KIB}k,mode=0700`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'vitrine-test', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Skips the suite with the reason if no disk can be mounted, and fails if `CI=true`. */
function describeWithSmallDisk(name: string, suite: () => void): void {
  const probe = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  const can = mountSmallDisk(probe);
  if (can) execFileSync('umount', [probe]);
  execFileSync('rmdir', [probe]);
  describeUnless(can ? null : 'mounting a tmpfs takes root on Linux', name, suite);
}

describeWithSmallDisk('an upload onto a full disk', () => {
  let disk: string;
  let host: UploadHost;
  let account: Account;

  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'vitrine-disk-'));
    mountSmallDisk(disk);
    host = await startUploadHost({
      STORAGE_URL: pathToFileURL(join(disk, 'objects')).href,
      STORAGE_RESERVE_BYTES: String(RESERVE_KIB * KIB),
      TRUSTED_PROXIES: '127.0.0.1',
    });
    account = await host.createAccount();
  });
  afterAll(async () => {
    await host.close();
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  });

  const send = (body: Uint8Array): Promise<Response> =>
    fetch(`${host.url}/api/v1/media`, {
      method: 'POST',
      body: new Uint8Array(multipart({ name: 'file', filename: 'a', body })),
      headers: { 'Content-Type': MULTIPART_TYPE, Authorization: `Bearer ${account.token}` },
    });
  /** A picture that can't be compressed. */
  const picture = (kibibytes: number): Buffer =>
    png(9, 9, { extra: [['ruNd', randomBytes(kibibytes * KIB).toString('latin1')]] });
  const files = async (): Promise<string[]> => {
    const entries = await readdir(disk, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  };

  const FULL = { message: 'This server has no space left for uploads.', code: 'storage_full' };

  // Promise [files]: An upload that would use the reserve of free space gives 507, and leaves nothing.
  it('is refused with 507 before the reserve is used, and leaves nothing; it is accepted once there is room', async () => {
    for (const kibibytes of [2 * DISK_KIB, DISK_KIB, DISK_KIB - RESERVE_KIB]) {
      const refusal = await send(picture(kibibytes));
      expect([refusal.status, await refusal.json()]).toEqual([507, FULL]);
      expect(refusal.headers.has('retry-after')).toBe(false);
    }
    await eventually(async () => expect(await files()).toEqual([]));
    expect(await host.countMedia()).toBe(0);

    // Nothing was stored, not even a name: the folders of a new key can't be created either.
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, randomBytes(DISK_KIB * KIB)).catch(() => undefined);
    expect((await send(png(9, 9))).status).toBe(507);
    expect((await fetch(`${host.service.managementUrl}/health/ready`)).status).toBe(200);
    await eventually(async () => expect(await files()).toEqual(['ballast']));

    await rm(ballast);
    expect((await send(png(9, 9))).status).toBe(201);
    expect(await host.countMedia()).toBe(1);
  });

  it('is refused with 503 if others fill the disk meanwhile', async () => {
    const before = await host.countMedia();
    const connection = await RawConnection.open(host.url);
    const body = multipart({ name: 'file', filename: 'a', body: picture(100) });
    connection.sendHead('POST', '/api/v1/media', {
      'Content-Type': MULTIPART_TYPE,
      'Content-Length': String(body.length),
      Authorization: `Bearer ${account.token}`,
    });
    connection.send(body.subarray(0, 10 * KIB));
    const scratch = async () => readdir(join(disk, 'objects/.scratch')).catch(() => []);
    await eventually(async () => expect(await scratch()).not.toEqual([]));
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, randomBytes(DISK_KIB * KIB)).catch(() => undefined);
    connection.send(body.subarray(10 * KIB));
    const { status, headers, body: answer } = await connection.answer();
    expect([status, JSON.parse(answer)]).toEqual([503, { message: 'Service unavailable, please retry.' }]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    connection.hangUp();
    await rm(ballast);
    expect(await host.countMedia()).toBe(before);
  });

  it('is refused to nobody because slow senders without a token have announced more than the disk has', async () => {
    const slow = await Promise.all(Array.from({ length: 9 }, () => RawConnection.open(host.url)));
    for (const connection of slow) {
      connection.sendHead('POST', '/api/1/upload', {
        'Content-Type': MULTIPART_TYPE,
        'Content-Length': String(60 * KIB),
        'X-Forwarded-For': '192.0.2.1',
      });
    }
    // Some are refused at once; the others wait for their bodies.
    await slow.at(-1)!.answer();
    expect((await send(picture(60))).status).toBe(201);
    for (const connection of slow) connection.hangUp();
  });
});
