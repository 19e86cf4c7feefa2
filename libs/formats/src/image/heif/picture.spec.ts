import { concatBytes } from '../../bytes/arrays';
import { u16 } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { Colours } from './picture';

const codePoints = (primaries: number, transfer: number): Uint8Array =>
  concatBytes([asciiBytes('nclx'), u16(primaries, transfer, 6), Uint8Array.of(0x80)]);

describe('Colours', () => {
  const cleaned = (body: Uint8Array): Uint8Array | undefined =>
    new Colours().clean({ type: 'colr', index: 1, isEssential: false, body })?.body;

  it.each<[string, [number, number], [number, number]]>([
    ['primaries of XYZ and the curve of cinemas', [10, 17], [1, 13]],
    ['a curve that is read in different ways', [9, 7], [9, 13]],
    ['a logarithmic curve, with which browsers show nothing', [1, 9], [1, 13]],
    ['unknown primaries', [200, 16], [1, 16]],
  ])('replaces %s by those of sRGB', (_, given, kept) => {
    expect(cleaned(codePoints(...given))).toEqual(codePoints(...kept));
  });

  it.each<[string, [number, number]]>([
    ['Display P3', [12, 13]],
    ['HDR', [9, 16]],
    ['unspecified colours', [2, 2]],
  ])('keeps the code points of %s', (_, given) => {
    expect(cleaned(codePoints(...given))).toEqual(codePoints(...given));
  });
});
