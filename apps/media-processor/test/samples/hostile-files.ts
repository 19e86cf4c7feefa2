import { latin, type ForbiddenTargets, type HostileFile } from './hostile-file';
import { bombs, brokenPictures } from './hostile-pictures';
import { gab2Avi, hostileVideos } from './hostile-videos';
import type { Bench } from './jobs';

/** Every known kind of attack on decoders of pictures and videos. */
export async function hostileFiles(bench: Bench, bait: ForbiddenTargets): Promise<HostileFile[]> {
  return [
    ...playlists(bait),
    ...(await hostileVideos(bench, bait)),
    ...drawings(bait),
    ...(await bombs(bench)),
    ...(await brokenPictures(bench)),
  ];
}

/** A playlist of one entry. */
export const hlsPlaylist = (entry: string): Buffer =>
  latin(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${entry}\n#EXT-X-ENDLIST\n`);

/** Texts that tell ffmpeg to open something else, under the names of video and picture formats. */
function playlists({ video, text, address }: ForbiddenTargets): HostileFile[] {
  const refused = (what: string, kind: 'image' | 'video', format: string, bytes: Buffer): HostileFile => ({
    ...{ what, kind, format, bytes, outcome: 'refused' },
  });
  const dash = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>file://${video}</BaseURL></Representation></AdaptationSet></Period></MPD>`;
  const session = `v=0\r\no=- 0 0 IN IP4 10.0.0.1\r\ns=x\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n`;
  return [
    ...['mp4', 'mpegts', 'avi', 'asf'].map((format) =>
      refused(
        `a playlist of a local video, called ${format}`,
        'video',
        format,
        hlsPlaylist(`file://${video}`),
      ),
    ),
    refused('a playlist of a neighbour', 'video', 'mp4', hlsPlaylist(video.split('/').at(-1) ?? '')),
    refused(
      'a playlist of joined files',
      'video',
      'mp4',
      hlsPlaylist(`concat:file://${text}|file://${video}`),
    ),
    refused('a playlist of a remote video', 'video', 'mp4', hlsPlaylist(`${address}/video.ts`)),
    refused(
      'a playlist with a local key',
      'video',
      'mpegts',
      latin(
        `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="file://${text}"\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${video}\n#EXT-X-ENDLIST\n`,
      ),
    ),
    refused('a concatenation', 'video', 'matroska', latin(`ffconcat version 1.0\nfile '${video}'\n`)),
    refused('a DASH manifest', 'video', 'mp4', latin(dash)),
    refused('a session that listens to a port', 'video', 'mp4', latin(session)),
    refused('a list of subtitles and a video', 'video', 'avi', gab2Avi(hlsPlaylist(`file://${video}`))),
    refused('a playlist called BMP', 'image', 'bmp', hlsPlaylist(`file://${video}`)),
    refused('a playlist called JPEG XL', 'image', 'jxl', hlsPlaylist(`file://${video}`)),
    { ...refused('a playlist called AVIF', 'image', 'avif', hlsPlaylist(`file://${video}`)), frames: 5 },
    refused('a pattern of file names called BMP', 'image', 'bmp', latin(`${text}%d.bmp`)),
  ];
}

/** SVG that tells its parser or renderer to open something else, or to work without end. */
function drawings({ picture, text, address }: ForbiddenTargets): HostileFile[] {
  const drawing = (
    what: string,
    content: string,
    outcome: HostileFile['outcome'],
    { doctype = '', size = '80' } = {},
  ): HostileFile => ({
    ...{ what, kind: 'image', format: 'svg', outcome },
    bytes: Buffer.from(
      `<?xml version="1.0"?>${doctype}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude" width="${size}" height="${size}">${content}<rect width="9" height="9"/></svg>`,
    ),
  });
  const name = picture.split('/').at(-1) ?? '';
  const laughs = Array.from(
    { length: 12 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  );
  const nested = Array.from(
    { length: 30 },
    (_, index) => `<g id="g${index + 1}">${`<use xlink:href="#g${index}"/>`.repeat(10)}</g>`,
  );
  return [
    ...[`file://${picture}`, picture, name, `./${name}`, `${address}/picture.png`].map((target) =>
      drawing(`an SVG with the picture ${target.split(name).join('<bait>')}`, pictureIn(target), 'harmless'),
    ),
    drawing(
      'an SVG with an external entity',
      '<text y="20">&bait;</text>',
      'either',
      doctype(`<!ENTITY bait SYSTEM "file://${text}">`),
    ),
    drawing(
      'an SVG with an external entity of parameters',
      '<text y="20">x</text>',
      'either',
      doctype(`<!ENTITY % bait SYSTEM "${address}/a.dtd"> %bait;`),
    ),
    drawing('an SVG with an external document type', '', 'either', {
      doctype: `<!DOCTYPE svg SYSTEM "file://${text}">`,
    }),
    drawing('an SVG that includes a text', `<xi:include parse="text" href="file://${text}"/>`, 'harmless'),
    drawing('an SVG with a foreign style', `<style>@import url("file://${text}");</style>`, 'harmless'),
    drawing(
      'an SVG with a foreign font',
      `<style>@font-face{font-family:f;src:url("file://${text}")}</style><text y="20" font-family="f">x</text>`,
      'harmless',
    ),
    drawing(
      'an SVG with a foreign pattern',
      `<use xlink:href="file://${picture}#a"/><rect width="80" height="80" fill="url(file://${picture}#a)"/>`,
      'harmless',
    ),
    drawing(
      'an SVG with foreign filters',
      `<filter id="f"><feImage xlink:href="file://${picture}"/></filter><rect width="80" height="80" filter="url(#f)"/>`,
      'harmless',
    ),
    drawing('an SVG that laughs a billion times', '<text y="20">&l12;</text>', 'either', {
      doctype: `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs.join('')}]>`,
    }),
    drawing(
      'an SVG that uses itself a billion times',
      `<g id="g0"><rect width="80" height="80"/></g>${nested.join('')}<use xlink:href="#g30"/>`,
      'either',
    ),
    drawing('an SVG of a million million pixels', '', 'refused', { size: '1000000' }),
    drawing('an SVG of 10,000 nested groups', '<g>'.repeat(10_000) + '</g>'.repeat(10_000), 'either'),
    drawing(
      'an SVG with a filter as large as a house',
      '<filter id="f" x="-500" y="-500" width="1000" height="1000"><feTurbulence numOctaves="9999"/><feGaussianBlur stdDeviation="9999"/></filter><rect width="80" height="80" filter="url(#f)"/>',
      'either',
    ),
  ];
}

const doctype = (inner: string): { doctype: string } => ({ doctype: `<!DOCTYPE svg [${inner}]>` });
const pictureIn = (target: string): string => `<image xlink:href="${target}" width="80" height="80"/>`;
