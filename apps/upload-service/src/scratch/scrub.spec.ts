import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemorySource, rewrittenBytes, type Segment } from '@vitrine/formats';
import fc from 'fast-check';
import { ScratchFile } from './scratch-file';
import { asPatch, scrub } from './scrub';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

describe('asPatch', () => {
  const put = (text: string): Segment => ({ bytes: Buffer.from(text) });

  it('returns a patch if bytes are replaced by as many bytes', () => {
    expect(asPatch([{ from: 0, to: 3 }, put('ab'), { from: 5, to: 9 }], 9)).toEqual({
      size: 9,
      replacements: [{ offset: 3, bytes: Buffer.from('ab') }],
    });
  });

  it('returns a patch for a file that is cut at the end or has a new start', () => {
    expect(asPatch([{ from: 0, to: 4 }], 9)).toEqual({ size: 4, replacements: [] });
    expect(asPatch([put('xy'), { from: 2, to: 9 }], 9)?.replacements).toHaveLength(1);
  });

  it.each<[string, Segment[]]>([
    ['move to the front', [{ from: 2, to: 9 }]],
    ['move back', [put('abc'), { from: 0, to: 9 }]],
    [
      'change their order',
      [
        { from: 4, to: 8 },
        { from: 0, to: 4 },
      ],
    ],
    ['become more', [{ from: 0, to: 9 }, put('tail')]],
  ])('returns null if bytes %s', (_, segments) => {
    expect(asPatch(segments, 9)).toBeNull();
  });
});

describe('scrub', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vitrine-scrub-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const scratch = async (bytes: Uint8Array): Promise<ScratchFile> => {
    const file = await ScratchFile.create(directory);
    await file.append(bytes);
    return file;
  };

  it('does not change a file without a rewrite', async () => {
    const file = await scratch(Buffer.from('clean'));
    const hash = Buffer.from('as it came');
    expect(await scrub({ file, sha256: hash }, null, async () => directory)).toEqual({ file, sha256: hash });
    await file.discard();
  });

  it('writes and hashes the rewritten bytes, in place or to a new file', async () => {
    const segments = fc.array(
      fc.oneof(
        fc.tuple(fc.nat(300), fc.nat(300)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) })),
        fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ bytes })),
      ),
      { maxLength: 8 },
    );
    const inPlace = fc
      .array(fc.tuple(fc.nat(30), fc.uint8Array({ maxLength: 30 })), { maxLength: 5 })
      .map((steps) => {
        let at = 0;
        return steps.flatMap(([keep, bytes]): Segment[] => {
          const kept = { from: at, to: at + keep };
          at += keep + bytes.length;
          return [kept, { bytes }];
        });
      });
    await fc.assert(
      fc.asyncProperty(fc.oneof(segments, inPlace), async (rewrite) => {
        const bytes = randomBytes(300);
        const source = new MemorySource(bytes);
        const expected: Uint8Array[] = [];
        for await (const chunk of rewrittenBytes(source, rewrite)) expected.push(chunk);
        const file = await scratch(bytes);
        const scrubbed = await scrub({ file, sha256: sha256(bytes) }, rewrite, async () => directory);
        expect(await readFile(scrubbed.file.path)).toEqual(Buffer.concat(expected));
        expect(scrubbed.sha256).toEqual(sha256(Buffer.concat(expected)));
        expect(scrubbed.file.size).toBe(Buffer.concat(expected).length);
        expect(scrubbed.file === file).toBe(asPatch(rewrite, bytes.length) !== null);
        if (scrubbed.file !== file) await scrubbed.file.discard();
        await file.discard();
      }),
      { numRuns: 150 },
    );
    expect(await readdir(directory)).toEqual([]);
  });

  it('writes a new file for runs that are longer than its buffers', async () => {
    const bytes = randomBytes(1_500_000);
    const rewrite = [
      { bytes: Buffer.from('head') },
      { from: 10, to: 20 },
      { from: 30, to: 1_400_000 },
      { bytes: Buffer.from('middle') },
      { from: 1_400_100, to: 1_499_999 },
    ];
    const expected = Buffer.concat(rewrite.map((part) => part.bytes ?? bytes.subarray(part.from, part.to)));
    const file = await scratch(bytes);
    const scrubbed = await scrub({ file, sha256: sha256(bytes) }, rewrite, async () => directory);
    expect((await readFile(scrubbed.file.path)).equals(expected)).toBe(true);
    expect(scrubbed.sha256).toEqual(sha256(expected));
    await scrubbed.file.discard();
    await file.discard();
  });

  it('patches across the boundaries of its pieces', async () => {
    const bytes = randomBytes(3 * (1 << 19) + 11);
    const border = 1 << 19;
    const patch = randomBytes(border + 100);
    const rewrite = [
      { from: 0, to: border - 40 },
      { bytes: patch },
      { from: border * 2 + 60, to: border * 3 - 3 },
      { bytes: Buffer.from('border') },
      { from: border * 3 + 3, to: bytes.length },
    ];
    const expected = Buffer.from(bytes);
    patch.copy(expected, border - 40);
    expected.write('border', border * 3 - 3);
    const file = await scratch(bytes);
    const scrubbed = await scrub({ file, sha256: sha256(bytes) }, rewrite, async () => directory);
    expect(scrubbed.file).toBe(file);
    expect((await readFile(file.path)).equals(expected)).toBe(true);
    expect(scrubbed.sha256).toEqual(sha256(expected));
    await file.discard();
  });
});
