import fc from 'fast-check';
import { isSoftwareName, isSoftwareRecord, isSoftwareText } from './software-name';

describe('isSoftwareName', () => {
  it.each([
    'Lavf59.27.100',
    'Lavc59.37.100 libx264',
    'libebml v1.3.10 + libmatroska v1.5.2',
    "mkvmerge v45.0.0 ('Heaven in Pennies') 64-bit",
    'HandBrake 1.6.1 2023012300',
    'VideoHandler',
    'Core Media Audio',
    'Apple Alias Data Handler',
    'ISO Media file produced by Google Inc.',
    'Xiph.Org libVorbis I 20200704 (Reducing Environment)',
    'CREATOR: gd-jpeg v1.0 (using IJG JPEG v80), quality = 82\n',
    'Adobe ImageReady',
  ])('returns true for %s', (name) => expect(isSoftwareName(name)).toBe(true));

  it.each([
    '',
    'Ann',
    'GoPro AVC',
    'Lavf59.27.100 by Ann',
    'Ann Lavf59.27.100',
    'Lavf59.27.100\nAnn',
    'Lavc59.37.100 ann',
    'ISO Media file produced by Google Inc. Created on: 05/02/2019.',
    `Lavf${'1'.repeat(40)}`,
    `mkvmerge v45.0.0 ('${'A'.repeat(60)}') 64-bit`,
  ])('returns false for %j', (name) => expect(isSoftwareName(name)).toBe(false));

  it('returns false for a name with other letters around it', () => {
    const letters = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => /[^\d.]/.test(text));
    fc.assert(
      fc.property(letters, fc.boolean(), (text, isBefore) => {
        const name = isBefore ? `${text}VideoHandler` : `VideoHandler${text}`;
        expect(isSoftwareName(name)).toBe(false);
      }),
    );
  });
});

describe('isSoftwareText and isSoftwareRecord', () => {
  const text = Buffer.from('VideoHandler');

  it('accept zeros after a name, and nothing else', () => {
    expect(isSoftwareText(Buffer.concat([text, Buffer.alloc(9)]))).toBe(true);
    expect(isSoftwareText(Buffer.concat([text, Buffer.from('\0Ann')]))).toBe(false);
    const record = Buffer.concat([Buffer.of(text.length), text, Buffer.alloc(9)]);
    expect(isSoftwareRecord(record)).toBe(true);
    record.write('Ann', record.length - 3);
    expect(isSoftwareRecord(record)).toBe(false);
    expect(isSoftwareRecord(Buffer.of(200, 65))).toBe(false);
  });
});
