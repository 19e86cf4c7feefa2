import { PICTURE_CODECS } from '@vitrine/formats';

/**
 * The decoders that ffmpeg may use, by its names. ffmpeg has some 290, most of them for games and formats of one
 * company, and hardly anybody looks for their errors. A codec is listed here if phones, cameras, screen recorders,
 * browsers or the usual editing programs write it into an accepted container.
 */

/** Several decoders of one codec are named where builds of ffmpeg differ in the one that they prefer. */
const AV1 = ['libdav1d', 'libaom-av1', 'av1'];

/** Those of the codecs that uploads may have, and of libraries that builds of ffmpeg prefer or that return transparency. */
const PICTURES = [
  ...Object.values(PICTURE_CODECS).flatMap(({ decoders }) => decoders),
  ...AV1.filter((name) => name.startsWith('lib')),
  ...['libvpx', 'libvpx-vp9'],
];

const SOUNDS = [
  // Phones, browsers, transport streams.
  ...['aac', 'aac_latm', 'mp3float', 'mp3', 'mp2float', 'mp2', 'opus', 'libopus', 'vorbis', 'libvorbis'],
  // Films and camcorders.
  ...['ac3', 'eac3', 'dca', 'truehd', 'mlp', 'flac', 'alac'],
  // 3GP, Flash and Ogg: speech.
  ...['amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb', 'speex', 'libspeex', 'nellymoser'],
  // Windows Media.
  ...['wmav1', 'wmav2', 'wmapro'],
  // Uncompressed: AVI, QuickTime, Blu-ray and AVCHD, DVD.
  ...['pcm_u8', 'pcm_s8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be'],
  ...['pcm_f32le', 'pcm_f32be', 'pcm_f64le', 'pcm_f64be', 'pcm_alaw', 'pcm_mulaw', 'pcm_bluray', 'pcm_dvd'],
  // Compact cameras' AVI and QuickTime, and Flash.
  ...['adpcm_ms', 'adpcm_ima_wav', 'adpcm_ima_qt', 'adpcm_swf'],
];

/**
 * Decoders of subtitles in the accepted containers. No subtitle is decoded, but ffprobe opens a decoder for each track, and
 * ends if it may not.
 */
export const SUBTITLE_DECODERS = [
  ...['mov_text', 'text', 'srt', 'subrip', 'ass', 'ssa', 'webvtt', 'cc_dec'],
  ...['dvbsub', 'dvdsub', 'pgssub', 'xsub', 'libzvbi_teletextdec', 'libaribb24', 'libaribcaption'],
].join(',');

/** What an input of ffmpeg may be. The names are ffmpeg's, separated by commas. */
export interface InputKind {
  readonly demuxers: string;
  readonly decoders: string;
}

/** Videos in every accepted container; playlists, concatenations and devices are not among them. */
export const VIDEO: InputKind = {
  demuxers: 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,flv,mpegts,mpeg,mpegvideo,ogg,asf',
  decoders: [...PICTURES, ...SOUNDS].join(','),
};

/** The tiles of a HEIC as a video. */
export const HEIC_TILES: InputKind = { demuxers: 'mov', decoders: 'hevc' };

/** The sequence of an AVIF. */
export const AVIF_SEQUENCE: InputKind = { demuxers: 'mov', decoders: AV1.join(',') };

/** The tracks of a picture file of the HEIF family. */
export const HEIF_TRACKS: InputKind = { demuxers: 'mov', decoders: ['h264', 'hevc', ...AV1].join(',') };

/** A JPEG XL. */
export const JPEG_XL: InputKind = { demuxers: 'jpegxl_pipe', decoders: 'libjxl' };
