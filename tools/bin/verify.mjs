// npm run verify: everything that CI checks. --without-tests leaves out the tests.
import { command, CommandError, install, node, root, run, stopRequests } from './workspace.mjs';
import { join } from 'node:path';

await command(async () => {
  const { interrupted } = stopRequests();
  await install({ signal: interrupted });

  const here = (file) => [process.execPath, join(root, 'tools/bin', file)];
  const checks = [
    ['format', node('prettier/bin/prettier.cjs'), ['--check', '--log-level=warn', '.']],
    ['lint', node('nx/dist/bin/nx.js'), ['run-many', '-t', 'lint', '--outputStyle=stream']],
    ['types', node('typescript/bin/tsc'), ['-p', 'tsconfig.spec.json']],
    ['build', node('nx/dist/bin/nx.js'), ['run-many', '-t', 'build', '--outputStyle=stream']],
    ['.env.example', here('run.mjs'), ['dev/env-example', '--check']],
    ['docs/openapi.json', here('run.mjs'), ['dev/openapi', '--check']],
    ['client types', here('run.mjs'), ['dev/client-types', '--check']],
    ['event schemas', here('run.mjs'), ['dev/event-schemas', '--check']],
    ['alert rules', here('run.mjs'), ['dev/alert-rules', '--check']],
    ['docs/conformance.md', here('conformance.mjs'), ['--check']],
    ['tests', here('test.mjs'), ['--all']],
  ].filter(([name]) => name !== 'tests' || !process.argv.includes('--without-tests'));

  const failed = [];
  for (const [name, program, args] of checks) {
    console.log(`\n── ${name}`);
    const code = await run(program, args, { signal: interrupted });
    if (code !== 0) failed.push(name);
  }
  console.log(`\n${checks.length - failed.length} checks passed, ${failed.length} failed`);
  if (failed.length > 0) throw new CommandError(`Failed: ${failed.join(', ')}`);
});
