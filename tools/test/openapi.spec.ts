import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const built = (file: string): string => resolve(__dirname, '../dev/dist/openapi', file);

describe('docs/openapi.json', () => {
  // Promise [requests]: `docs/openapi.json` matches the code, so that its diff shows every change of the API.
  it('matches the code and has no warning from Redocly’s recommended rules', () => {
    const check = spawnSync(process.execPath, [built('main.js'), '--check'], { encoding: 'utf8' });

    expect(check.stderr).toBe('');
    expect(check.status).toBe(0);
  });
});

describe('the linter', () => {
  it('names the rule that a document breaks, and where', () => {
    // Jest on Node 20 can't load the linter, an ES module; Node itself can.
    const script = `require(process.argv[1]).lintProblems(process.argv[2]).then((found) => console.log(found.join('\\n')))`;
    const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, servers: [], paths: {} };

    const { stdout } = spawnSync(
      process.execPath,
      ['-e', script, built('lint.js'), JSON.stringify(document)],
      { encoding: 'utf8' },
    );

    expect(stdout).toMatch(/^warn info-license at #\/info: /m);
  });
});
