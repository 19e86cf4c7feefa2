import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = join(__dirname, '../bin/conformance.mjs');

const run = (...args: string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, stderr: stderr.trim() };
};

it('docs/conformance.md matches the promises in the tests', () => {
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
});

describe('npm run conformance', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    for (const path of ['docs', 'libs/a/node_modules']) mkdirSync(join(folder, path), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Writes a test file that consists of `lines`, and runs the tool. */
  const collect = (...lines: string[]) => {
    writeFileSync(join(folder, 'libs/a/votes.drill.spec.ts'), lines.join('\n'));
    return run(folder);
  };

  it('lists each promise below its area, with a link to the test file', () => {
    const vote = '// Promise [community]: A vote';
    writeFileSync(
      join(folder, 'libs/a/node_modules/b.spec.ts'),
      `${vote} of a dependency.\nit('', () => {});`,
    );

    const result = collect(
      '// A remark.',
      vote,
      '// counts once.',
      `${vote} ends.`,
      "  it.each([1])('%s', () => {});",
    );

    expect(result).toEqual({ status: 0, stderr: '' });
    const page = readFileSync(join(folder, 'docs/conformance.md'), 'utf8');
    expect(page.split('\n## Comments, votes and people\n\n')[1]?.split('\n\n')[0]).toBe(
      '- A vote counts once. ([votes](../libs/a/votes.drill.spec.ts))\n- A vote ends. ([votes](../libs/a/votes.drill.spec.ts))',
    );
    expect(run('--check', folder).status).toBe(0);
  });

  it('reports a page that differs from the tests', () => {
    collect('');
    writeFileSync(join(folder, 'libs/a/new.spec.ts'), "// Promise [lists]: New.\nit('x', () => {});");

    expect(run('--check', folder)).toEqual({
      status: 1,
      stderr: 'docs/conformance.md differs from the tests. Run: npm run conformance',
    });
  });

  it.each([
    ['an unknown area', ['// Promise [nothing]: One.', "it('a', () => {});"], 'unknown area nothing: One.'],
    ['a promise without a test', ['// Promise [lists]: One.', '', "it('a', () => {});"], 'no test follows'],
    [
      'two equal promises',
      ['// Promise [lists]: One.', '// Promise [files]: One.', "it('a', () => {});"],
      'Two promises are equal: One.',
    ],
  ])('reports %s', (_, lines, message) => {
    expect(collect(...lines)).toEqual({ status: 1, stderr: expect.stringContaining(message) });
  });
});
