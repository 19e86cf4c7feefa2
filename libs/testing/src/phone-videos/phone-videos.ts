import { withEdits, withMatrix, withNames } from './movie-patches';
import { AAC, card, H264, h264, hdrHevc, hdrTags, type PhoneVideo, tone, words } from './phone-video';

const sound = (seconds: number, channels = 1, hertz = 440): NonNullable<PhoneVideo['expected']['sound']> => ({
  channels,
  hertz,
  seconds,
});

/** Large and costly videos, whose memory is measured. */
export const HEAVY_VIDEOS: readonly PhoneVideo[] = [
  ...(
    [
      ['hlg', 0.5],
      ['pq', 0.2],
    ] as const
  ).map(([transfer, seconds]): PhoneVideo => ({
    what: `4K60 ${transfer.toUpperCase()} HEVC of 10 bits`,
    ...{ format: 'mov', ext: 'mov' },
    args: [
      ...[...card(transfer, 60, seconds), ...tone(440, seconds)],
      ...[...hdrHevc(transfer, '3840:2160'), ...AAC],
    ],
    expected: {
      ...{ width: 3840, height: 2160, duration: seconds, frames: seconds * 60 },
      ...{ sound: sound(seconds), card: 'hdr' },
    },
  })),
  {
    what: '4K HEVC of 10 bits, 4:2:2',
    ...{ format: 'mov', ext: 'mov' },
    args: [...card('hlg', 30, 0.2), ...hdrHevc('hlg', '3840:2160', 'yuv422p10le')],
    expected: { width: 3840, height: 2160, duration: 0.2, frames: 6, sound: null, card: 'hdr' },
  },
  {
    what: 'a screen recording of 1170 × 2532, 120 frames a second',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 120, 0.4), ...tone(440, 0.4), ...h264('1170:2532'), ...AAC],
    expected: { width: 1170, height: 2532, duration: 0.4, frames: 24, sound: sound(0.4), card: 'sdr' },
  },
  {
    what: '8K PQ HEVC of 10 bits',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('pq', 20, 0.2), ...hdrHevc('pq', '7680:4320')],
    expected: { width: 7680, height: 4320, duration: 0.2, frames: 4, sound: null, card: 'hdr' },
  },
];

const CODECS: readonly PhoneVideo[] = [
  {
    what: 'AV1 with Opus in MP4',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [
      ...[...card('sdr', 30, 0.5), ...tone(440, 0.5), ...h264('480:270')],
      ...words('-c:v libsvtav1 -preset 12 -crf 30 -c:a libopus'),
    ],
    expected: { width: 480, height: 270, duration: 0.5, frames: 15, sound: sound(0.5), card: 'sdr' },
  },
  {
    what: 'AV1 with Opus in WebM',
    ...{ format: 'matroska', ext: 'webm' },
    args: [
      ...[...card('sdr', 30, 0.5), ...tone(440, 0.5), ...h264('480:270')],
      ...words('-c:v libsvtav1 -preset 12 -crf 30 -c:a libopus'),
    ],
    expected: { width: 480, height: 270, duration: 0.5, frames: 15, sound: sound(0.5), card: 'sdr' },
  },
  {
    what: 'VP9 in PQ with Opus in WebM',
    ...{ format: 'matroska', ext: 'webm' },
    args: [
      ...[...card('pq', 30, 0.5), ...tone(440, 0.5)],
      ...['-vf', 'scale=640:360:flags=neighbor', ...words('-c:v libvpx-vp9 -deadline realtime -cpu-used 8')],
      ...[...hdrTags('pq'), '-c:a', 'libopus'],
    ],
    expected: { width: 640, height: 360, duration: 0.5, frames: 15, sound: sound(0.5), card: 'hdr' },
  },
  {
    what: 'ProRes 4:2:2 with PCM',
    ...{ format: 'mov', ext: 'mov' },
    args: [
      ...[...card('sdr', 25, 0.4), ...tone(440, 0.4), ...h264('640:360', 'yuv422p10le')],
      ...words('-c:v prores_ks -profile:v 2 -c:a pcm_s16le'),
    ],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: sound(0.4), card: 'sdr' },
  },
  {
    what: 'H.264 of 10 bits, 4:2:2',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 25, 0.4), ...h264('640:360', 'yuv422p10le')],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
  },
  {
    what: 'H.264 High 4:4:4',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 25, 0.4), ...h264('640:360', 'yuv444p')],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
  },
];

const COLOURS: readonly PhoneVideo[] = (
  [
    ['BT.601', 'out_color_matrix=bt601:out_range=tv', 'yuv420p', 'smpte170m', 'tv'],
    ['full range', 'out_color_matrix=bt709:out_range=pc', 'yuv420p', 'bt709', 'pc'],
    ['BT.2020 without HDR', 'out_color_matrix=bt2020:out_range=tv', 'yuv420p10le', 'bt2020nc', 'tv'],
  ] as const
).map(([what, scale, pixels, matrix, range]) => ({
  what,
  ...{ format: 'mp4', ext: 'mp4' },
  args: [
    ...[...card('sdr', 25, 0.4), '-vf', `scale=640:360:flags=neighbor:${scale},format=${pixels}`],
    ...words(`-c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1 -colorspace ${matrix}`),
    ...words(`-color_primaries bt709 -color_trc bt709 -color_range ${range}`),
  ],
  expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
}));

const PACE: readonly PhoneVideo[] = [
  {
    what: '240 frames a second',
    ...{ format: 'mov', ext: 'mov' },
    args: [...card('sdr', 240, 0.5), ...tone(440, 0.5), ...h264('640:360'), ...AAC],
    expected: { width: 640, height: 360, duration: 0.5, frames: 30, sound: sound(0.5), card: 'sdr' },
  },
  {
    // Ten frames a second, then 120: 7 frames, then 36 of which every other stays.
    what: 'a frame rate that varies',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [
      ...[...card('sdr', 120, 1), ...tone(440, 1), ...AAC],
      ...['-vf', `select='lt(t,0.7)*not(mod(n,12))+gte(t,0.7)',scale=640:360:flags=neighbor`],
      ...words('-vsync vfr -c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p'),
    ],
    expected: { width: 640, height: 360, duration: 1, frames: 25, sound: sound(1), card: null },
  },
  {
    what: 'fields',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [
      ...[...card('sdr', 50, 0.4), ...H264, '-vf'],
      `scale=640:360:flags=neighbor:out_color_matrix=bt709,format=yuv420p,interlace,setfield=tff`,
      ...words('-flags +ildct+ilme -x264-params tff=1'),
    ],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
  },
  {
    what: 'a single frame',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 25, 0.04), ...h264('640:360', 'yuv420p')],
    expected: { width: 640, height: 360, duration: 0.04, frames: 1, sound: null, card: 'sdr' },
  },
];

const PLACES: readonly PhoneVideo[] = [
  {
    what: 'odd edges',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 25, 0.4), ...h264('641:359', 'yuv444p')],
    expected: { width: 641, height: 359, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
  },
  {
    what: 'a portrait that is stored as a landscape',
    ...{ format: 'mov', ext: 'mov' },
    // Stored a quarter turn to the left.
    args: [...card('sdr', 25, 0.4), ...h264('640:360', 'yuv420p', 'transpose=2')],
    patch: (file) => withMatrix(file, [0, 1, -1, 0]),
    expected: { width: 360, height: 640, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
  },
  {
    what: 'a mirrored picture',
    ...{ format: 'mov', ext: 'mov' },
    args: [...card('sdr', 25, 0.4), ...h264('640:360', 'yuv420p', 'hflip')],
    patch: (file) => withMatrix(file, [-1, 0, 0, 1]),
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: null, card: 'sdr' },
  },
];

const SOUNDS: readonly PhoneVideo[] = [
  {
    what: 'sound of 5.1 channels',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [
      ...[...card('sdr', 25, 0.4), ...tone(440, 0.4), ...h264('640:360'), ...AAC],
      ...['-af', 'pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0'],
    ],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: sound(0.4, 2), card: 'sdr' },
  },
  {
    what: 'several sound tracks, the second of which is the default',
    ...{ format: 'mov', ext: 'mov' },
    args: [
      ...[...card('sdr', 25, 0.4), ...tone(3000, 0.4), ...tone(440, 0.4), ...h264('640:360'), ...AAC],
      ...words('-map 0 -map 1 -map 2 -disposition:a:0 0 -disposition:a:1 default'),
    ],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: sound(0.4), card: 'sdr' },
  },
  {
    what: 'speech of 8,000 samples a second',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 25, 0.4), ...tone(440, 0.4, 8000), ...h264('640:360'), ...AAC],
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: sound(0.4), card: 'sdr' },
  },
  {
    what: 'a timecode track and one of telemetry',
    ...{ format: 'mov', ext: 'mov' },
    args: [
      ...[...card('hlg', 25, 0.4), ...tone(440, 0.4), '-f', 'srt', '-i', 'telemetry.srt'],
      ...[...hdrHevc('hlg', '640:360'), ...AAC, ...words('-c:s mov_text -timecode 01:00:00:00')],
    ],
    patch: (file) => withNames(file, { tx3g: 'mebx', sbtl: 'meta', text: 'mebx' }),
    expected: { width: 640, height: 360, duration: 0.4, frames: 10, sound: sound(0.4), card: 'hdr' },
  },
];

/** Half a second of blue, then the test card; half a second of 3,000 Hz, then of 440. */
const TWO_PARTS = [
  ...words('-f lavfi -i color=blue:s=640x360:r=25:d=0.5'),
  ...card('sdr', 25, 1),
  ...[...tone(3000, 0.5), ...tone(440, 1)],
  '-filter_complex',
  '[0]format=rgb24[a];[1]scale=640:360:flags=neighbor,setsar=1[b];[a][b]concat=n=2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p[v];[2][3]concat=n=2:v=0:a=1[s]',
  ...['-map', '[v]', '-map', '[s]', ...H264, ...words('-g 1000 -video_track_timescale 25'), ...AAC],
];

const TIMELINES: readonly PhoneVideo[] = [
  {
    what: 'an edit list that cuts the beginning away',
    ...{ format: 'mp4', ext: 'mp4' },
    args: TWO_PARTS,
    patch: (file) =>
      withEdits(file, [[{ duration: 1000, mediaTime: 13 }], [{ duration: 1000, mediaTime: 25_984 }]]),
    expected: { width: 640, height: 360, duration: 1, sound: sound(1), card: 'sdr' },
  },
  {
    what: 'an edit list that cuts the middle out',
    ...{ format: 'mp4', ext: 'mp4' },
    args: TWO_PARTS,
    patch: (file) =>
      withEdits(file, [
        [
          { duration: 400, mediaTime: 13 },
          { duration: 400, mediaTime: 28 },
        ],
        [
          { duration: 400, mediaTime: 25_984 },
          { duration: 400, mediaTime: 54_784 },
        ],
      ]),
    expected: { width: 640, height: 360, duration: 0.8, sound: sound(0.8), card: 'sdr' },
  },
  {
    what: 'sound that starts late',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...[...card('sdr', 25, 1), '-itsoffset', '0.5', ...tone(440, 0.5), ...h264('640:360'), ...AAC]],
    expected: {
      ...{ width: 640, height: 360, duration: 1, frames: 25, card: 'sdr' },
      sound: { ...sound(1), silence: 0.5 },
    },
  },
  {
    what: 'a picture that starts late',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 25, 0.6), ...tone(440, 1), ...h264('640:360'), ...AAC],
    patch: (file) =>
      withEdits(file, [
        [
          { duration: 400, mediaTime: -1 },
          { duration: 600, mediaTime: 0 },
        ],
      ]),
    expected: { width: 640, height: 360, duration: 1, sound: sound(1), card: 'sdr' },
  },
  {
    what: 'time stamps that start at a hundred seconds, in fragments',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [
      ...[...card('sdr', 25, 0.6), ...tone(440, 0.6), ...h264('640:360'), ...AAC],
      ...words('-g 5 -output_ts_offset 100 -movflags frag_keyframe+empty_moov+default_base_moof'),
    ],
    expected: { width: 640, height: 360, duration: 0.6, frames: 15, sound: sound(0.6), card: 'sdr' },
  },
  {
    what: 'a transport stream, whose time never starts at zero',
    ...{ format: 'mpegts', ext: 'ts' },
    args: [...card('sdr', 25, 0.6), ...tone(440, 0.6), ...h264('640:360'), ...AAC],
    expected: { width: 640, height: 360, duration: 0.6, frames: 15, sound: sound(0.6), card: 'sdr' },
  },
  {
    what: 'a single key frame for a long time',
    ...{ format: 'mp4', ext: 'mp4' },
    args: [...card('sdr', 30, 10), ...h264('320:180'), '-g', '1000'],
    expected: { width: 320, height: 180, duration: 10, frames: 300, sound: null, card: 'sdr' },
  },
];

/** Small videos like those of phones, cameras and screen recorders. */
export const PHONE_VIDEOS: readonly PhoneVideo[] = [
  ...CODECS,
  ...COLOURS,
  ...PACE,
  ...PLACES,
  ...SOUNDS,
  ...TIMELINES,
];
