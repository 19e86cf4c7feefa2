import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTest, quotedTests, specRows } from './quoted-tests';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/conformance.md');

/** Spec files by the short names that the tables use. */
const specs = new Map(specRows(page).map(({ short, ...row }) => [short, row]));
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('“'))
  .map((line) => ({ line, proofs: quotedTests(line) }));

describe('docs/conformance.md', () => {
  it('names specs that exist, each once, and none that it doesn’t use', () => {
    const used = new Set(rows.flatMap(({ proofs }) => proofs.map(({ short }) => short)));
    expect([...specs.keys()].sort()).toEqual([...used].sort());
    for (const { shown, path } of specs.values()) {
      expect(shown).toBe(path);
      expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    }
  });

  it('names tests that exist, at least one for each line', () => {
    const missing = rows
      .flatMap(({ proofs }) => proofs)
      .filter(({ short, title }) => !hasTest(specs.get(short)?.path ?? '', title));
    expect(missing).toEqual([]);
    const lines = page.split('\n## Not built yet')[0]!.match(/^\| (?!Line|---)/gm) ?? [];
    expect(rows.length).toBeGreaterThan(150);
    expect(rows).toHaveLength(lines.length);
  });

  it('leaves out no route of docs/openapi.json', () => {
    const document = JSON.parse(read('docs/openapi.json')) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => ['get', 'post', 'patch', 'put', 'delete'].includes(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes.length).toBeGreaterThan(40);
    const missing = routes.filter((route) => {
      if (route === 'POST /media') return !page.includes('POST {upload_url}');
      const pattern = route.replace(/\{\w+\}/g, '<\\w+>');
      return !new RegExp(`${pattern}(?![\\w/<])`).test(page);
    });
    expect(missing).toEqual([]);
  });
});
