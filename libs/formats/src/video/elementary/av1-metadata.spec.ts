import { concatBytes } from '../../bytes/arrays';
import { asciiBytes } from '../../bytes/text';
import { av1Notes, scrubAv1Configuration } from './av1-metadata';

/** A unit of a type with its size. */
const unit = (type: number, body: string): Uint8Array =>
  concatBytes([Uint8Array.of((type << 3) | 2, body.length), asciiBytes(body)]);

function scrubbed(...units: Uint8Array[]): Uint8Array {
  const bytes = concatBytes(units);
  for (const { from, to, value } of [...av1Notes(bytes)]) bytes.fill(value, from, to);
  return bytes;
}

const NOTE = 'Jane, 48.8577 2.2950';
const FRAME = unit(6, 'the frame');
const PADDING = unit(15, '\0'.repeat(NOTE.length + 1));

describe('av1Notes', () => {
  it.each([
    ['metadata of users', unit(5, `\x06${NOTE}`)],
    ['registered data of unknown companies', unit(5, `\x04${NOTE}`)],
    ['the time code', unit(5, `\x05${NOTE}`)],
    ['reserved units', unit(9, ` ${NOTE}`)],
    ['the content of padding', unit(15, ` ${NOTE}`)],
  ])('turns %s into empty padding', (_, note) => {
    expect(scrubbed(unit(2, ''), note, FRAME)).toEqual(concatBytes([unit(2, ''), PADDING, FRAME]));
  });

  it.each([
    ['the brightness', unit(5, '\x01\x03\xe8\x01\x90')],
    ['HDR10+', unit(5, '\x04\xb5\0\x3c\0\x01\x04\x01data')],
    ['Dolby Vision', unit(5, '\x04\xb5\0\x3b\0\0\x08\0data')],
    ['padding', PADDING],
  ])('keeps %s', (_, kept) => {
    expect(scrubbed(unit(1, 'sequence'), kept, FRAME)).toEqual(
      concatBytes([unit(1, 'sequence'), kept, FRAME]),
    );
  });

  it('reads units with an extension, and without a size at the end', () => {
    const extended = concatBytes([
      Uint8Array.of((5 << 3) | 6, 0, 1 + NOTE.length),
      asciiBytes(`\x06${NOTE}`),
    ]);
    const last = concatBytes([Uint8Array.of(9 << 3), asciiBytes(NOTE)]);
    const clean = Buffer.from(scrubbed(extended, FRAME, last)).toString('latin1');
    expect(clean).not.toContain(NOTE);
    expect(clean).toContain('the frame');
  });
});

it('scrubAv1Configuration leaves the fields of the box', () => {
  const box = concatBytes([asciiBytes('\x81\x29\x0c\x29'), unit(5, `\x06${NOTE}`)]);
  scrubAv1Configuration(box);
  expect(box).toEqual(concatBytes([asciiBytes('\x81\x29\x0c\x29'), PADDING]));
});
