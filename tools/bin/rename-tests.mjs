// Renames tests in their spec files and in the pages that quote them (docs/conformance.md, docs/security.md) together.
//
//   node tools/bin/rename-tests.mjs renames.json [--docs-only]
//
// The file holds a list of { "spec": path, "from": title, "to": title, "movedTo": path }. "to" is the new title of a test
// or of a group; "movedTo" is the spec file that has the test now (move its code first). Both are optional.
// --docs-only leaves the spec files as they are.
// Prints each title that it doesn't find, and then ends with exit code 1; the other tests are still renamed.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './workspace.mjs';

const PAGES = ['docs/conformance.md', 'docs/security.md'];
const SPEC_ROW = /^\| \*\*([\w-]+)\*\* +\| \[[^\]]+\]\(\.\.\/([^)]+)\) +\|\n/gm;

const [file, option] = process.argv.slice(2);
const renames = JSON.parse(readFileSync(file, 'utf8'));
const read = (path) => readFileSync(join(root, path), 'utf8');
const pages = new Map(PAGES.map((path) => [path, read(path)]));

for (const rename of renames) {
  const found = option === '--docs-only' || renameInSpec(rename);
  if (!found) {
    console.error(`Not found in ${rename.movedTo ?? rename.spec}: ${rename.from}`);
    process.exitCode = 1;
    continue;
  }
  for (const [path, page] of pages) pages.set(path, renameInPage(page, rename));
}
for (const [path, page] of pages) writeFileSync(join(root, path), withoutUnusedRows(page));

/** Replaces the title where it is the first argument of a call; returns whether it was there. */
function renameInSpec({ spec, movedTo = spec, from, to = from }) {
  const source = read(movedTo);
  const literal = ["'", '"', '`'].map((quote) => quoted(from, quote)).find((text) => at(source, text) >= 0);
  if (literal === undefined) return false;
  const quote = literal[0] === "'" && to.includes("'") && !to.includes('"') ? '"' : literal[0];
  const position = at(source, literal);
  const renamed = source.slice(0, position) + quoted(to, quote) + source.slice(position + literal.length);
  writeFileSync(join(root, movedTo), renamed);
  return true;
}

/** Where `literal` begins as the first argument of a call, or the first item of a list; -1 if there is none. */
function at(source, literal) {
  for (let i = source.indexOf(literal); i >= 0; i = source.indexOf(literal, i + 1))
    if (/[([]\s*$/.test(source.slice(0, i))) return i;
  return -1;
}

function quoted(title, quote) {
  return quote + title.replaceAll(quote, `\\${quote}`) + quote;
}

function renameInPage(page, { spec, movedTo = spec, from, to = from }) {
  const short = shortNames(page).get(spec);
  const quotation = `**${short}** “${from}”`;
  if (short === undefined || !page.includes(quotation)) return page;
  const moved = movedTo === spec ? { page, short } : withRow(page, spec, movedTo);
  return moved.page.replaceAll(quotation, `**${moved.short}** “${to}”`);
}

/** The page with a row for the spec `path`, after the row of `neighbour`, and the short name that it has there. */
function withRow(page, neighbour, path) {
  const names = shortNames(page);
  if (names.has(path)) return { page, short: names.get(path) };
  const plain = basename(path)
    .replace(/(\.drill)?\.spec\.tsx?$/, '')
    .replaceAll('.', '-');
  const taken = [...names.values()].includes(plain);
  const short = taken ? `${path.split('/')[1]}-${plain}` : plain;
  const row = `| **${short}** | [${path}](../${path}) |\n`;
  const before = [...page.matchAll(SPEC_ROW)].find(([, , other]) => other === neighbour)[0];
  return { page: page.replace(before, before + row), short };
}

/** The short names of spec files in a page, by path. */
function shortNames(page) {
  return new Map([...page.matchAll(SPEC_ROW)].map(([, short, path]) => [path, short]));
}

function withoutUnusedRows(page) {
  return page.replace(SPEC_ROW, (row, short) => (page.includes(`**${short}** “`) ? row : ''));
}
