import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UntrustedOutputError, WorkerFolder } from './worker-folder';

describe('WorkerFolder', () => {
  let parent: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'vitrine-folders-'));
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('removes only folders that killed processes left an hour ago', async () => {
    const [used, left] = [0, 1].map(() => WorkerFolder.make(parent, { contained: true }));
    if (!used || !left) throw new Error('Two folders were made');
    mkdirSync(join(parent, 'somebody-elses'));
    writeFileSync(join(left.in, 'original.mp4'), 'a video');
    writeFileSync(join(left.out, 'xs.mp4'), 'a small video');
    const past = new Date(Date.now() - 61 * 60_000);
    for (const path of [left.path, join(parent, 'somebody-elses')]) utimesSync(path, past, past);
    await WorkerFolder.sweep(parent);
    expect(readdirSync(parent).sort()).toEqual(['somebody-elses', basename(used.path)].sort());
    await Promise.all([used.remove(), left.remove()]);
  });

  it('lets other work run while it removes many files, and refuses a worker that leaves too many', async () => {
    const folder = WorkerFolder.make(parent, { contained: false });
    const left = (): number => readdirSync(folder.out).length;
    for (let at = 0; at < 10_200; at++) writeFileSync(join(folder.out, String(at)), '');
    const cleared = folder.clear();
    expect(left()).toBeGreaterThan(10_000);
    await expect(cleared).rejects.toThrow(UntrustedOutputError);
    expect(left()).toBe(200);
    const removed = folder.remove();
    expect(left()).toBe(100);
    await removed;
    expect(existsSync(folder.path)).toBe(false);
  });
});
