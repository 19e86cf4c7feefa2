import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithChromium, eventually, forkTypeScript } from '../src/index';

describeWithChromium('a browser for tests', () => {
  let scratch: string;
  let tests: ChildProcess;

  beforeEach(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'vitrine-browser-test-'));
    tests = forkTypeScript(join(__dirname, 'chromium.child.ts'), [], { ...process.env, TMPDIR: scratch });
    await once(tests, 'message');
    expect(browserProcesses()).not.toEqual([]);
  });
  afterEach(() => {
    tests.kill('SIGKILL');
    rmSync(scratch, { recursive: true, force: true });
  });

  const browserProcesses = (): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(scratch);
      } catch {
        return false;
      }
    });
  const nothingLeft = (): void =>
    expect({ processes: browserProcesses(), files: readdirSync(scratch) }).toEqual({
      processes: [],
      files: [],
    });

  it('leaves nothing behind when it is closed', async () => {
    tests.send('close');
    await once(tests, 'exit');
    await eventually(nothingLeft);
  });

  it('ends with the tests, even when they are killed', async () => {
    tests.kill('SIGKILL');
    await eventually(nothingLeft);
  });
});
