import { concatBytes } from '../../bytes/arrays';
import { u32 } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { UnreadableFileError } from '../../errors/file-errors';
import { writeBox } from '../../isobmff/boxes';
import { jxlCodestream } from '../../testing/jxl-samples';
import { scrub } from '../../testing/scrub';
import { inspectJxl } from './jxl';

const NAME = 'Ann, at home in Vienna';
const NOTHING = '\0'.repeat(NAME.length);
const tail = asciiBytes('tail');

describe('inspectJxl', () => {
  it('removes the bytes after the last frame', async () => {
    const names = [NOTHING, NOTHING, NOTHING];
    const { facts, scrubbed } = await scrub(inspectJxl, concatBytes([jxlCodestream({ names }), tail]));
    expect(scrubbed).toEqual(jxlCodestream({ names }));
    expect(facts).toMatchObject({ width: 16, height: 24, frames: 3 });
  });

  it('empties names without moving a bit', async () => {
    const { scrubbed } = await scrub(inspectJxl, jxlCodestream({ names: [NAME, NAME] }));
    expect(scrubbed).toEqual(jxlCodestream({ names: [NOTHING, NOTHING] }));
  });

  it.each([{ hasProfile: true }, { isPermuted: true }])(
    'keeps all bytes if only a decoder could find the end: %j',
    async (options) => {
      const bytes = concatBytes([jxlCodestream({ names: [NOTHING], ...options }), tail]);
      expect((await scrub(inspectJxl, bytes)).rewrite).toBeNull();
    },
  );

  it('joins the parts of a container', async () => {
    const codestream = jxlCodestream({ names: [NOTHING] });
    const part = (number: number, from: number, to?: number): Uint8Array =>
      writeBox('jxlp', u32(number), codestream.subarray(from, to));
    const head = [
      asciiBytes('\0\0\0\x0cJXL \r\n\x87\n'),
      writeBox('ftyp', asciiBytes('jxl '), u32(0), asciiBytes('jxl ')),
    ];
    const parts = [part(0, 0, 1), part(1, 1, 9), writeBox('Exif', tail), part(0x80000002, 9)];
    const { scrubbed } = await scrub(
      inspectJxl,
      concatBytes([...head, ...parts, writeBox('jxlp', u32(3), tail)]),
    );
    expect(scrubbed).toEqual(concatBytes([...head, writeBox('jxlc', codestream)]));
    const unfinished = concatBytes([...head, part(0, 0)]);
    await expect(scrub(inspectJxl, unfinished)).rejects.toThrow(UnreadableFileError);
  });

  it('refuses a codestream in hundreds of parts', async () => {
    const codestream = jxlCodestream({ names: [NOTHING] });
    const head = asciiBytes('\0\0\0\x0cJXL \r\n\x87\n');
    const empty = Array.from({ length: 300 }, (_, i) => writeBox('jxlp', u32(i)));
    const bytes = concatBytes([head, ...empty, writeBox('jxlp', u32(0x8000012c), codestream)]);
    await expect(scrub(inspectJxl, bytes)).rejects.toThrow(UnreadableFileError);
  });

  it("refuses a preview, which can't be removed", async () => {
    await expect(scrub(inspectJxl, jxlCodestream({ hasPreview: true }))).rejects.toThrow(UnreadableFileError);
  });

  it('refuses a file that is truncated at any byte', async () => {
    const bytes = jxlCodestream({ names: [NAME, NAME] });
    for (let length = 2; length < bytes.length; length++) {
      await expect(scrub(inspectJxl, bytes.subarray(0, length))).rejects.toThrow(UnreadableFileError);
    }
  });
});
