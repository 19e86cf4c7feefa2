import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBinaries } from './binaries';
import { canRun, postgresUser } from './system-user';

describe('prepareBinaries', () => {
  let folder: string;
  let native: string;
  let copies: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-binaries-'));
    chmodSync(folder, 0o711);
    native = join(folder, 'package', 'native');
    copies = join(folder, 'copies');
    for (const name of ['bin', 'lib']) mkdirSync(join(native, name), { recursive: true });
    for (const name of ['postgres', 'initdb']) {
      writeFileSync(join(native, 'bin', name), '#!/bin/sh\n', { mode: 0o644 });
    }
    writeFileSync(join(native, 'lib/libpq.so.5.18'), 'the library');
    writeFileSync(
      join(native, 'pg-symlinks.json'),
      JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' }]),
    );
  });

  afterEach(() => {
    chmodSync(join(folder, 'package'), 0o755);
    for (const name of ['bin', 'lib']) chmodSync(join(native, name), 0o755);
    rmSync(folder, { recursive: true, force: true });
  });

  const prepare = () =>
    prepareBinaries(postgresUser(join(folder, 'cluster')), copies, { folder: native, version: '18' });

  it('creates the symlinks and modes that npm omitted, in place', () => {
    const { postgres, initdb } = prepare();

    expect([postgres, initdb]).toEqual([join(native, 'bin/postgres'), join(native, 'bin/initdb')]);
    expect(readFileSync(join(native, 'lib/libpq.so'), 'utf8')).toBe('the library');
    expect(canRun(postgresUser(join(folder, 'cluster')), postgres)).toBe(true);
    expect(prepare()).toEqual({ postgres, initdb });
  });

  it('uses a copy if the package can not be reached or prepared, and makes it once', () => {
    // Root may write anywhere, but its PostgreSQL runs as another user; anyone else may not write here.
    if (process.getuid?.() === 0) chmodSync(join(folder, 'package'), 0o700);
    else for (const name of ['bin', 'lib']) chmodSync(join(native, name), 0o555);

    const { postgres } = prepare();

    expect(postgres).toBe(join(copies, 'postgresql-18/bin/postgres'));
    expect(readFileSync(join(copies, 'postgresql-18/lib/libpq.so'), 'utf8')).toBe('the library');
    expect(canRun(postgresUser(join(folder, 'cluster')), postgres)).toBe(true);
    expect(prepare().postgres).toBe(postgres);
  });
});
