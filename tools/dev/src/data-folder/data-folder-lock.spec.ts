import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@vitrine/testing';
import { currentHolder, DataFolderInUseError, DataFolderLock } from './data-folder-lock';
import { processBirth } from './process-identity';

describe('DataFolderLock', () => {
  let folder: string;
  let other: ChildProcess;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-lock-'));
    other = spawn('sleep', ['60']);
    await once(other, 'spawn');
  });

  afterEach(() => {
    other.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const pid = (): number => other.pid ?? 0;
  const heldBy = (holder: object): void =>
    writeFileSync(join(folder, 'running.json'), JSON.stringify(holder));
  const acquire = () => DataFolderLock.acquire(folder, 'npm start');

  it('has one holder at a time and is free after release', async () => {
    const lock = await acquire();

    await expect(acquire()).rejects.toThrow(DataFolderInUseError);
    await expect(acquire()).rejects.toThrow(`npm start (process ${process.pid}) is running`);
    lock.release();
    await expect(acquire()).resolves.toBeInstanceOf(DataFolderLock);
    expect(readdirSync(folder)).toEqual(['running.json']);
  });

  it('gives the lock to exactly one of many, also after a dead holder', async () => {
    heldBy({ command: 'npm start', pid: pid(), birth: 'another time' });

    const results = await Promise.allSettled(Array.from({ length: 8 }, acquire));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is free if its process id belongs to another process', async () => {
    heldBy({ command: 'npm start', pid: pid(), birth: 'another time' });

    expect(currentHolder(folder)).toBeUndefined();
    await expect(acquire()).resolves.toBeInstanceOf(DataFolderLock);
  });

  it('is free if its file is unreadable', async () => {
    writeFileSync(join(folder, 'running.json'), '{"comma');

    await expect(acquire()).resolves.toBeInstanceOf(DataFolderLock);
  });

  it('waits for a short command', async () => {
    heldBy({ command: 'npm run admin', pid: pid(), birth: processBirth(pid()) });
    let taken = false;

    const lock = acquire().finally(() => (taken = true));

    await new Promise((done) => setImmediate(done));
    expect(taken).toBe(false);
    other.kill('SIGKILL');
    await expect(lock).resolves.toBeInstanceOf(DataFolderLock);
  });

  it('waits for the guard of a dead holder', async () => {
    heldBy({
      command: 'npm start',
      pid: pid(),
      birth: 'x',
      guardPid: pid(),
      guardBirth: processBirth(pid()),
    });
    let taken = false;

    const lock = acquire().finally(() => (taken = true));

    await new Promise((done) => setImmediate(done));
    expect(taken).toBe(false);
    other.kill('SIGKILL');
    await expect(lock).resolves.toBeInstanceOf(DataFolderLock);
  });

  it('stops waiting when it is aborted', async () => {
    heldBy({ command: 'npm run admin', pid: pid(), birth: processBirth(pid()) });
    const abort = new AbortController();

    const lock = DataFolderLock.acquire(folder, 'npm start', abort.signal);
    abort.abort(new Error('no more'));

    await expect(lock).rejects.toThrow('no more');
  });

  it('publishes what its holder runs to readers of the file', async () => {
    const lock = await acquire();

    lock.publish({ guardPid: pid() });
    lock.publish({ environment: { DATABASE_URL: 'postgresql://here' } });

    expect(currentHolder(folder)).toMatchObject({
      command: 'npm start',
      pid: process.pid,
      guardPid: pid(),
      environment: { DATABASE_URL: 'postgresql://here' },
    });
    expect(statSync(join(folder, 'running.json')).mode & 0o777).toBe(0o600);
  });

  it('treats a zombie as dead', async () => {
    // The shell starts a child that ends at once, and becomes a program that never asks for it.
    const parent = spawn('sh', ['-c', 'sh -c "exit 0" & echo $!; exec sleep 60']);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    try {
      await eventually(() => expect(processBirth(Number(line))).toBeUndefined());
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
