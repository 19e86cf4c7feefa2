import { isZero } from '../bytes/arrays';
/** Names and versions of programs are shorter; a longer text holds something else too. */
const LONGEST = 96;
/** Versions and builds. */
const VERSION = String.raw`\d{1,4}(?:\.\d{1,5}){0,3}`;
/** The encoders of FFmpeg, as it names them. */
const ENCODER =
  String.raw`(?:lib(?:x26[45](?:rgb)?|xvid|vpx(?:-vp9)?|aom-av1|svtav1|rav1e|kvazaar|openh264|theora|jxl|webp(?:_anim)?)` +
  String.raw`|lib(?:opus|vorbis|mp3lame|twolame|fdk_aac|speex|shine|opencore_amrnb|vo_amrwbenc)|(?:h264|hevc|av1|vp[89]|mpeg[24]|mjpeg)` +
  String.raw`_(?:nvenc|qsv|amf|vaapi|videotoolbox|v4l2m2m|mf|mediacodec|vulkan|omx)|mpeg(?:1video|2video|4)|msmpeg4(?:v2)?|mjpeg|ljpeg|flv1?` +
  String.raw`|h26[13]p?|theora|prores(?:_ks|_aw)?|dnxhd|ffv1|ffvhuff|huffyuv|utvideo|cfhd|qtrle|cinepak|rawvideo|dvvideo|vc2|snow|wm[av][12]|png|gif` +
  String.raw`|aac(?:_at)?|e?ac3(?:_fixed)?|mp2(?:fixed)?|flac|alac(?:_at)?|opus|vorbis|dca|truehd|mlp|nellymoser|pcm_[a-z]\w{1,8}|adpcm_\w{1,10})`;

/** Texts that programs write about themselves; each pattern matches the whole text. */
const NAMES: readonly string[] = [
  // Muxers and encoders.
  String.raw`Lav[cf](?:${VERSION})?`,
  String.raw`Lavc${VERSION} ${ENCODER}`,
  String.raw`Lavc ${ENCODER}`,
  String.raw`libebml v${VERSION} \+ libmatroska v${VERSION}`,
  String.raw`mkvmerge v${VERSION} \('[A-Z][A-Za-z0-9 ,.'!?&()/-]{0,47}'\)(?: (?:32|64)-?bit)?`,
  String.raw`(?:mkvmuxer|libwebm|libwebm-)${VERSION}`,
  String.raw`HandBrake ${VERSION}(?: \d{8,10})?`,
  String.raw`GStreamer(?: (?:matroska|mp4|avi|mpegts|ogg|flv) ?mux(?:er)?)?(?: version)?(?: ${VERSION})?`,
  String.raw`(?:Google|Chrome|QTmuxingAppLibWebM-${VERSION}|Android|YouTube)`,
  String.raw`obs-output module \(libobs version ${VERSION}\)`,
  String.raw`x26[45](?: - core ${VERSION}| ${VERSION})?`,
  String.raw`L-SMASH(?: ${VERSION})?`,
  String.raw`IsoMedia File Produced with GPAC ${VERSION}(?:-(?:DEV|rev(?:release|\d{1,5})|master|g[\da-f]{7,9})){0,4}`,
  String.raw`ISO Media file produced by Google(?:, | )Inc\.`,
  String.raw`VirtualDub build \d{4,6}/(?:release|debug|experimental)`,
  String.raw`(?:MEncoder|MPlayer) ${VERSION}`,
  String.raw`ffmpeg2theora-${VERSION}`,
  String.raw`Xiph\.Org libVorbis I(?: \d{8}(?: \([A-Z][a-z]+(?: [A-Z][a-z]+)?\))?)?`,
  String.raw`Xiph\.Org libtheora ${VERSION} \d{8} \((?:Thusnelda|Ptalarbvorm)\)`,
  String.raw`(?:Lav[cf]${VERSION}, )?libopus ${VERSION}(?:-\d{1,3}-g[\da-f]{7,9})?(?:-fixed)?`,
  String.raw`reference libFLAC ${VERSION} \d{8}`,
  String.raw`Encoded with GStreamer Vorbisenc`,
  // Handlers of ISO media.
  String.raw`(?:Video|Sound|Audio|Data|VOB)Handler?`,
  String.raw`(?:Core Media|Apple|Mainconcept|#Mainconcept(?: MP4)?|GPAC ISO|L-SMASH|Bento4|Vimeo Artax) (?:Video|Sound|Audio|Alias Data|Data|Video Media|Sound Media)(?: Media)? ?Handler`,
  String.raw`Core Media (?:Video|Audio)`,
  String.raw`(?:Video|Sound|Alias Data) Media Handler`,
  String.raw`PictureHandler`,
  String.raw`lib(?:avif|heif)(?: ${VERSION})?`,
  String.raw`Twitter-vork muxer`,
  // Codecs by their names.
  String.raw`(?:JVT/)?(?:AVC|HEVC|VPC|AOM|VVC|EVC) Coding`,
  String.raw`(?:H\.26[345]|HEVC|AVC|MPEG-4 Video|Photo - JPEG|Motion JPEG [AB]|Animation|PNG)`,
  String.raw`Apple ProRes (?:422|422 HQ|422 LT|422 Proxy|4444|4444 XQ)`,
  String.raw`Windows Media (?:Video|Audio|Screen)(?: (?:V?\d(?:\.\d)?|Professional|Lossless|Voice|Advanced Profile)){0,3}`,
  String.raw`wm[av][123v]`,
  String.raw`FFmpeg`,
  // Programs that write pictures.
  String.raw`CREATOR: gd-jpeg v1\.\d \(using IJG JPEG v\d{2,3}\), (?:default quality|quality = \d{1,3})\n?`,
  String.raw`Intel\(R\) JPEG Library, version \[?${VERSION}\]?`,
  String.raw`Created with (?:The )?GIMP`,
  String.raw`(?:GIMP|gimp|Inkscape|ImageMagick|GraphicsMagick) ${VERSION}`,
  String.raw`Created with Inkscape \(http://www\.inkscape\.org/\)`,
  String.raw`(?:Adobe ImageReady|www\.inkscape\.org|gnome-screenshot|Greenshot|IrfanView|Celsys Studio Tool)`,
  String.raw`[Pp]aint\.(?:net|NET v?) ?${VERSION}`,
  String.raw`Matplotlib version ?${VERSION}, https?://matplotlib\.org/`,
  String.raw`Created with ezgif\.com(?: \w{1,12}){0,2}`,
];
const NAME = new RegExp(String.raw`^(?:${NAMES.join('|')})$`);

/**
 * Whether a text is the name of a known program, encoder or handler and nothing else: such a text isn't personal. Any other text
 * may contain anything that its author wants.
 */
export function isSoftwareName(text: string): boolean {
  return text.length <= LONGEST && NAME.test(text);
}

/** `isSoftwareName` for the bytes of a text, which may be filled up with zeros. */
export function isSoftwareText(bytes: Uint8Array): boolean {
  const text = textBefore(bytes);
  return text !== null && isSoftwareName(text);
}

/** `isSoftwareName` for a text after its length in one byte. */
export function isSoftwareRecord(bytes: Uint8Array): boolean {
  const end = 1 + (bytes[0] ?? 0);
  if (end > bytes.length || !isZero(bytes, end)) return false;
  return isSoftwareName(Buffer.from(bytes.subarray(1, end)).toString('latin1'));
}

/** The text before the zeros that end or fill the bytes; null if other bytes follow or the text is too long. */
export function textBefore(bytes: Uint8Array): string | null {
  const zero = bytes.indexOf(0);
  const length = zero < 0 ? bytes.length : zero;
  if (length > LONGEST || !isZero(bytes, length)) return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
}
