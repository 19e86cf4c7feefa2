import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processorTime } from './process-tree';

const BURN_MS = 300;
/** Uses the processor for so long. */
const BURN = `
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  while (used() < ${BURN_MS});`;

describe('the processor time of a process', () => {
  it.each([
    ['itself', BURN],
    [
      'a program that runs',
      `require('node:child_process').spawn(process.execPath, ['-e', BURN + 'console.log(); setInterval(() => 0, 1e9)'], { stdio: 'inherit' })`,
    ],
    [
      'a program that has ended',
      `require('node:child_process').execFileSync(process.execPath, ['-e', BURN])`,
    ],
  ])('counts %s', async (what, work) => {
    const says = what === 'a program that runs' ? '' : 'console.log();';
    const code = `const BURN = ${JSON.stringify(BURN)}; ${work}; ${says} setInterval(() => 0, 1e9)`;
    const child = spawn(process.execPath, ['-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      await once(child.stdout, 'data');
      // The system rounds down to whole ticks.
      expect(processorTime(child.pid!)).toBeGreaterThan(BURN_MS - 50);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
  });

  it('is unknown for a process that does not exist', () => {
    expect(processorTime(2 ** 22 + 1)).toBeNull();
  });
});
