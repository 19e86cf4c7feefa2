/** A character that shows something. Hangul fillers are ignorable code points; U+2800 is a pattern of Braille without dots. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows nothing, for example because it contains only spaces, line breaks or zero-width characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

/** Tag names as they are stored: in lowercase, trimmed, without duplicates, in their order. */
export const toTagNames = (names: readonly string[]): readonly string[] => [
  ...new Set([...new Set(names)].map(toTagName)),
];

/** A tag's name as it is stored. Only for texts whose length is bounded, as it is after the rules of a request. */
export const toTagName = (name: string): string =>
  name.normalize('NFC').trim().toLowerCase().normalize('NFC');

/** Code points of a file name without its extension: at four bytes each, file systems (255 bytes) can store the name. */
const MAX_FILE_NAME = 60;

/**
 * A title as the name of a file, without extension; '' if nothing remains. Only letters, digits and harmless punctuation stay:
 * no path, no control character, no mark of direction.
 */
export function toFileName(title: string): string {
  const words = title
    .slice(0, 1000)
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._'’(),&+–—-]+/gu, ' ');
  const name = [...words.replace(/^[ .\p{M}-]+/u, '')]
    .slice(0, MAX_FILE_NAME)
    .join('')
    .replace(/(?<![ .])[ .]+$/, '');
  return isBlank(name) ? '' : name;
}

/** A file name for a query and for headers (RFC 8187). docker/nginx/cache.conf copies it from one into the other. */
export const encodeFileName = (name: string): string =>
  encodeURIComponent(name).replace(/['()]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * `Content-Disposition` of a download (RFC 6266). `title` becomes the name, with the extension `ext`. `plain`: the ASCII name
 * for a title without a usable character, and for old programs.
 */
export function attachment(plain: string, title = '', ext = ''): string {
  const name = toFileName(title);
  const extended = name === '' ? '' : `; filename*=UTF-8''${encodeFileName(`${name}.${ext}`)}`;
  return `attachment; filename="${plain}"${extended}`;
}
