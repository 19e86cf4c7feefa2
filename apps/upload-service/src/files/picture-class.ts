/**
 * The classes of clients by the picture formats that they accept besides JPEG: `avif` accepts WebP too. A shared cache
 * needs one entry for each of them, so docker/nginx and docker/varnish know the same ones.
 */
export const PICTURE_CLASSES = ['plain', 'webp', 'avif', 'avif-only'] as const;
export type PictureClass = (typeof PICTURE_CLASSES)[number];

/** Longest `Accept` that is read, in characters; browsers send much shorter ones. Requests for files have no rate limit. */
const MAX_ACCEPT = 1000;

/**
 * The class of a client by its header `Accept` (RFC 9110, 12.5.1). A format counts only if the client names it, with
 * a quality above zero and no worse than JPEG's: programs that know neither format send wildcards. Browsers also name
 * the formats when they open an address as a page; they don't get them then, because people save what they open under
 * the address's name.
 */
export function pictureClassOf(accept: string | undefined): PictureClass {
  if (accept === undefined || accept.length > MAX_ACCEPT) return 'plain';
  if (!/image\/(avif|webp)/i.test(accept) || /text\/html/i.test(accept)) return 'plain';
  const qualities = readQualities(accept);
  const jpeg = qualities.get('image/jpeg') ?? qualities.get('image/*') ?? qualities.get('*/*') ?? 0;
  const takes = (type: string): boolean => {
    const quality = qualities.get(type) ?? 0;
    return quality > 0 && quality >= jpeg;
  };
  if (takes('image/avif')) return takes('image/webp') ? 'avif' : 'avif-only';
  return takes('image/webp') ? 'webp' : 'plain';
}

/** The quality of each media range; 1 if it isn't stated, 0 if it can't be read. Of a repeated range, the lowest counts. */
function readQualities(accept: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const stated = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality =
      stated === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(stated) ? Number(stated) : 0;
    qualities.set(type, Math.min(quality, qualities.get(type) ?? 1));
  }
  return qualities;
}
