import { ByteView } from '../../bytes/byte-view';
import { UnsupportedVariantError } from '../../errors/file-errors';
import { scrubTracks, type Track } from './track';

/** An element with a size of one byte. */
const element = (id: number, ...content: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(
    content.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  );
  const name = Buffer.from(id.toString(16).padStart(2, '0'), 'hex');
  return Buffer.concat([name, Buffer.of(0x80 | body.length), body]);
};

/** The picture track of this codec, as it is kept. */
function trackOf(codec: string, ...others: Buffer[]): Track | undefined {
  const size = element(0xe0, element(0xb0, '\x40'), element(0xba, '\x40'));
  const entry = element(
    0xae,
    element(0xd7, '\x01'),
    element(0x83, '\x01'),
    element(0x86, codec),
    size,
    ...others,
  );
  const view = new ByteView(new Uint8Array(entry));
  return scrubTracks(view, { id: 0x1654ae6b, start: 0, body: 0, end: entry.length })[0];
}

const ENCODED = element(0x6d80, element(0x6240, element(0x5031, '\x01')));
const configuration = (code: string): Buffer => element(0x63a2, '\0'.repeat(16), code);

describe('scrubTracks', () => {
  it.each<[string, string, Buffer[], Track['coding']]>([
    ['H.264 without a configuration', 'V_MPEG4/ISO/AVC', [], { codec: 'h264-stream' }],
    ['Motion JPEG', 'V_MJPEG', [], { codec: 'jpeg' }],
    ['DV of Windows', 'V_MS/VFW/FOURCC', [configuration('dvsd')], { codec: 'dv' }],
    ['VP9, also if it is encoded', 'V_VP9', [ENCODED], null],
  ])('accepts %s', (_, codec, others, coding) => {
    expect(trackOf(codec, ...others)?.coding).toEqual(coding);
  });

  it.each([
    [
      'frames that can’t be scrubbed in place',
      'V_MJPEG',
      [ENCODED],
      'Matroska with compressed or encrypted frames is',
    ],
    ['a codec that it does not know', 'V_SNOW', [], 'Videos with SNOW frames are'],
    ['an unknown code of Windows', 'V_MS/VFW/FOURCC', [configuration('MPNG')], 'Videos with PNG frames are'],
    ['no code of Windows', 'V_MS/VFW/FOURCC', [], 'Videos with MS/VFW/FOURCC frames are'],
  ])('refuses by name %s', (_, codec, others, sentence) => {
    expect(() => trackOf(codec, ...others)).toThrow(
      new UnsupportedVariantError(`${sentence} not supported.`),
    );
  });
});
