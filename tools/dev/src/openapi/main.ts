import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { lintProblems } from './lint';

const ROOT = resolve(__dirname, '../../../..');
const FILE = join(ROOT, 'docs/openapi.json');

interface Describe {
  describeDefaultApi(): Promise<object>;
}

/** Tools may not import apps, so the document comes from the built app. */
async function describe(): Promise<string> {
  const load = createRequire(__filename);
  const app = load(join(ROOT, 'apps/api-gateway/dist/describe-default-api.js')) as Describe;
  return `${JSON.stringify(await app.describeDefaultApi(), null, 2)}\n`;
}

async function main(): Promise<void> {
  const expected = await describe();
  const problems = await lintProblems(expected);
  if (!process.argv.includes('--check')) {
    writeFileSync(FILE, expected);
  } else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== expected) {
    problems.push('docs/openapi.json differs from the code. Run: npm run openapi');
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

void main();
