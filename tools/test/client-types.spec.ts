import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

describe('the client’s types', () => {
  it('match docs/openapi.json', () => {
    const main = resolve(__dirname, '../dev/dist/client-types/main.js');
    const check = spawnSync(process.execPath, [main, '--check'], { encoding: 'utf8' });

    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });
});
