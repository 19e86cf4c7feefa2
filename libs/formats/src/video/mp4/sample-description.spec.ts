import { concatBytes } from '../../bytes/arrays';
import { ByteView } from '../../bytes/byte-view';
import { u32 } from '../../bytes/numbers';
import { asciiBytes } from '../../bytes/text';
import { writeBox } from '../../isobmff/boxes';
import { CANARY } from '../../testing/scrub';
import { colourProfile, SRGB_TAGS } from '../../testing/colour-profiles';
import { scrubVideoDescriptions } from './sample-description';

it('a colour profile of a video is rewritten in place, with zeros at the end of its box', () => {
  const profile = colourProfile([...SRGB_TAGS, ['desc', CANARY.repeat(20)], ['mmod', CANARY]]);
  const colours = writeBox('colr', asciiBytes('prof'), profile);
  const fields = new Uint8Array(78);
  // 24 bits, and no palette.
  fields.set([0, 24, 0xff, 0xff], 74);
  const stsd = writeBox('stsd', u32(0, 1), writeBox('avc1', fields, colours));
  const view = new ByteView(Uint8Array.from(stsd));
  scrubVideoDescriptions(view, { type: 'stsd', start: 0, body: 8, end: stsd.length });
  const clean = colourProfile();
  const rest = new Uint8Array(profile.length - clean.length);
  expect(view.bytes.subarray(stsd.length - colours.length + 8)).toEqual(
    concatBytes([asciiBytes('prof'), clean, rest]),
  );
});
