import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { type ApiDocument, operationsOf, typesOf } from './generate';

// npm run client:types [-- --check]: generates the types of libs/client from docs/openapi.json.

const ROOT = resolve(__dirname, '../../../..');

async function main(): Promise<void> {
  const document = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as ApiDocument;
  const files = {
    'libs/client/src/api/api-types.ts': await typesOf(document),
    'libs/client/src/api/api-operations.ts': operationsOf(document),
  };
  for (const [name, source] of Object.entries(files)) {
    const path = join(ROOT, name);
    const expected = await format(source, { ...(await resolveConfig(path)), filepath: path });
    if (!process.argv.includes('--check')) {
      writeFileSync(path, expected);
    } else if (!existsSync(path) || readFileSync(path, 'utf8') !== expected) {
      process.stderr.write(`${name} differs from docs/openapi.json. Run: npm run client:types\n`);
      process.exitCode = 1;
    }
  }
}

void main();
