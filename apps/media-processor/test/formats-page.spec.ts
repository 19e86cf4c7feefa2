import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithFfmpeg } from '@vitrine/testing';
import { UnreadableFileError, UnsupportedFormatError, UnsupportedVariantError } from '@vitrine/formats';
import { refuseOnFailure } from '../src/failures/failures';
import { decodeFor } from '../src/images/decode-still';
import { openSource } from '../src/images/image-source';
import { openFrame, restrictLoaders } from '../src/pixels/open-image';
import { toPixels } from '../src/pixels/pixels';
import { formatVariants, type MakeVariant } from './samples/format-variants';
import { Bench } from './samples/jobs';
import { stored } from './samples/stored';

const PAGE = join(__dirname, '../../../docs/formats.md');
const ACCEPTED = 'accepted';
/** The answers for files that no reader names (apps/upload-service/src/receiving/upload-errors.ts). */
const WRONG_TYPE = 'The file field must be a file of type: image/*, video/*.';
const UNREADABLE = 'The file field must be a readable image or video.';

/** The rows of the page by its headings: a variant, and what happens with it. */
function readPage(): Map<string, Map<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  let rows = new Map<string, string>();
  for (const line of readFileSync(PAGE, 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading) sections.set(heading, (rows = new Map()));
    const [, variant, result] = /^\| (.+?) +\| (.+?) +\|$/.exec(line) ?? [];
    if (variant && result && variant !== 'Variant' && !/^-+$/.test(variant))
      rows.set(variant, result.replaceAll('`', ''));
  }
  return sections;
}

function refusalOf(error: unknown): string {
  if (error instanceof UnsupportedVariantError) return error.message;
  if (error instanceof UnsupportedFormatError) return WRONG_TYPE;
  if (error instanceof UnreadableFileError) return UNREADABLE;
  throw error;
}

describeWithFfmpeg('docs/formats.md', () => {
  const page = readPage();
  let bench: Bench;
  let variants: ReadonlyMap<string, ReadonlyMap<string, MakeVariant>>;

  beforeAll(async () => {
    restrictLoaders();
    bench = await Bench.open();
    variants = await formatVariants(bench);
  });
  afterAll(() => bench.close());

  /** What happens with a file: `accepted` if its pictures can be decoded, or the message of the refusal. */
  async function outcome(file: Buffer): Promise<string> {
    try {
      const { facts, served } = await stored(file);
      if (facts.kind === 'video') return ACCEPTED;
      const { format, ext, frames } = facts;
      const opened = await openSource(await bench.job(served, { format, ext, frames }));
      await refuseOnFailure(async () =>
        opened.timing
          ? toPixels(openFrame(opened.input, 0))
          : (await decodeFor('png', opened, opened)).pixels,
      );
      return ACCEPTED;
    } catch (error) {
      return refusalOf(error);
    }
  }

  it('has the rows that are tested', () => {
    const names = (rows: ReadonlyMap<string, unknown>): string[] => [...rows.keys()];
    expect(names(page)).toEqual(names(variants));
    for (const [section, rows] of page)
      expect([section, ...names(rows)]).toEqual([section, ...names(variants.get(section) ?? new Map())]);
  });

  // Promise [formats]: [formats.md](formats.md) says for each format what happens with a file.
  it.each([...page.keys()])('says what happens with a file: %s', async (section) => {
    const rows = page.get(section) ?? new Map<string, string>();
    const found = new Map<string, string>();
    for (const [variant, make] of variants.get(section) ?? [])
      found.set(variant, await outcome(await make()));
    expect(found).toEqual(rows);
  });
});
