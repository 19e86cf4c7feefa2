import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { renderSettings } from '../dev/src/env-example/render';

const setting = { env: 'A_PORT', why: 'Port of A.', parse: Number, example: '80' };

describe('.env.example', () => {
  it('matches the configuration classes', () => {
    const program = resolve(__dirname, '../dev/dist/env-example/main.js');

    const check = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });

    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });

  it('gives for each setting the purpose, the default and an example that is commented out', () => {
    expect(renderSettings([{ ...setting, default: 90 }])).toMatch(
      /\n# Port of A\.\n# Default: 90\n# A_PORT=80\n$/,
    );
  });

  it.each([
    [undefined, 'No default.'],
    ['', 'Default: empty.'],
    [[1, 2], 'Default: 1,2'],
    [{}, 'Default: empty.'],
    [{ a: 'b', c: 'd' }, 'Default: a=b,c=d'],
    [() => 1, 'Default: follows from other settings.'],
  ])('shows the default %p', (fallback, expected) => {
    expect(renderSettings([{ ...setting, default: fallback }])).toContain(`# ${expected}\n`);
  });

  it('has only settings that are commented out', () => {
    const lines = renderSettings([{ ...setting, default: 1 }]).split('\n');

    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });
});
