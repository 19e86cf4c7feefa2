import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasTest, type QuotedTest, quotedTests, specRows } from './quoted-tests';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/security.md');

/** Requirements of levels 1 and 2 by section: the last number of each, counted from 1 without a gap. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ 'V1.1': 2, 'V1.2': 9, 'V1.3': 11, 'V1.4': 3, 'V1.5': 2 },
  ...{ 'V2.1': 3, 'V2.2': 3, 'V2.3': 4, 'V2.4': 1 },
  ...{ 'V3.2': 2, 'V3.3': 4, 'V3.4': 6, 'V3.5': 5, 'V3.7': 2 },
  ...{ 'V4.1': 3, 'V4.2': 1, 'V4.3': 2, 'V4.4': 4 },
  ...{ 'V5.1': 1, 'V5.2': 3, 'V5.3': 2, 'V5.4': 3 },
  ...{ 'V6.1': 3, 'V6.2': 12, 'V6.3': 4, 'V6.4': 4, 'V6.5': 5, 'V6.6': 3, 'V6.8': 4 },
  ...{ 'V7.1': 3, 'V7.2': 4, 'V7.3': 2, 'V7.4': 5, 'V7.5': 2, 'V7.6': 2 },
  ...{ 'V8.1': 2, 'V8.2': 3, 'V8.3': 1, 'V8.4': 1 },
  ...{ 'V9.1': 3, 'V9.2': 4 },
  ...{ 'V10.1': 2, 'V10.2': 2, 'V10.3': 4, 'V10.4': 11, 'V10.5': 5, 'V10.6': 2, 'V10.7': 3 },
  ...{ 'V11.1': 2, 'V11.2': 3, 'V11.3': 3, 'V11.4': 4, 'V11.5': 1, 'V11.6': 1 },
  ...{ 'V12.1': 3, 'V12.2': 2, 'V12.3': 4 },
  ...{ 'V13.1': 1, 'V13.2': 5, 'V13.3': 2, 'V13.4': 5 },
  ...{ 'V14.1': 2, 'V14.2': 4, 'V14.3': 3 },
  ...{ 'V15.1': 3, 'V15.2': 3, 'V15.3': 7 },
  ...{ 'V16.1': 1, 'V16.2': 5, 'V16.3': 4, 'V16.4': 3, 'V16.5': 3 },
  ...{ 'V17.1': 1, 'V17.2': 4, 'V17.3': 2 },
};
const REQUIREMENTS = Object.entries(SECTIONS).flatMap(([section, last]) =>
  Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
);

interface Row {
  readonly ids: readonly string[];
  readonly state: string;
  readonly how: string;
  readonly proofs: readonly QuotedTest[];
}

const specs = new Map(specRows(page).map(({ short, path }) => [short, path]));
const rows: Row[] = [...page.matchAll(/^\| (V\d+\.\d+\.\d+)(?:–(V\d+\.\d+\.\d+))? \|(.*)\|$/gm)].map(
  ([, first = '', last = first, rest = '']) => {
    const cells = rest.split(' | ').map((cell) => cell.trim());
    return {
      ids: REQUIREMENTS.slice(REQUIREMENTS.indexOf(first), REQUIREMENTS.indexOf(last) + 1),
      state: cells[1] ?? '',
      how: cells[2] ?? '',
      proofs: quotedTests(rest),
    };
  },
);

describe('docs/security.md', () => {
  it('names specs that exist, and none that it doesn’t use', () => {
    const used = new Set(quotedTests(page).map(({ short }) => short));
    expect([...specs.keys()].sort()).toEqual([...used].sort());
    expect([...specs.values()].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names tests that exist', () => {
    const proofs = quotedTests(page);
    expect(proofs.length).toBeGreaterThan(120);
    expect(proofs.filter(({ short, title }) => !hasTest(specs.get(short) ?? '', title))).toEqual([]);
  });

  it('has every requirement of levels 1 and 2 once, in order', () => {
    expect(REQUIREMENTS).toHaveLength(253);
    expect(rows.flatMap(({ ids }) => ids)).toEqual(REQUIREMENTS);
  });

  it('quotes a test for each met requirement and gives a reason for every other', () => {
    for (const { ids, state, how, proofs } of rows) {
      expect(['met', 'not applicable', '**not met**']).toContain(state);
      if (state === 'met') expect([ids[0], proofs.length > 0]).toEqual([ids[0], true]);
      else expect([ids[0], how.length > 2]).toEqual([ids[0], true]);
    }
  });

  it('lists every unmet requirement at the start', () => {
    const summary = page.split('## Assets')[0] ?? '';
    const listed = [...summary.matchAll(/^- \*\*(V[\d.]+)\*\*/gm)].map(([, id]) => id);
    expect(listed).toEqual(rows.filter(({ state }) => state === '**not met**').flatMap(({ ids }) => ids));
  });
});
