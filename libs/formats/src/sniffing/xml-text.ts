import { hasAscii } from '../bytes/text';
import { UnreadableFileError } from '../errors/file-errors';

/** The encoding by the first bytes: a byte order mark, or how `<` is encoded (XML 1.0, appendix F). */
function encodingOf(bytes: Uint8Array): string {
  if (hasAscii(bytes, 0, '\xef\xbb\xbf')) return 'utf-8';
  if (hasAscii(bytes, 0, '\xff\xfe') || hasAscii(bytes, 0, '<\0')) return 'utf-16le';
  if (hasAscii(bytes, 0, '\xfe\xff') || hasAscii(bytes, 0, '\0<')) return 'utf-16be';
  const declaration = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(declaration);
  return declared?.[1] ?? 'utf-8';
}

/** The text of an XML document. @throws UnreadableFileError if it is not in its declared encoding. */
export function decodeXml(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFileError('The text is not in its declared encoding.');
  }
}

/**
 * Whether a file that starts with these bytes can be an SVG: after declaration, comments, processing instructions and
 * document type there is an `svg` element, or the bytes end before it.
 */
export function looksLikeSvg(prefix: Uint8Array): boolean {
  let rest: string;
  try {
    rest = new TextDecoder(encodingOf(prefix)).decode(prefix).trimStart();
  } catch {
    return false;
  }
  if (!rest.startsWith('<')) return false;
  for (;;) {
    const [open, close] = prologuePart(rest);
    if (open === undefined) return /^<(?:[\w.-]+:)?svg[\s>/]/.test(rest);
    if (open === '<!DOCTYPE') return /^<!DOCTYPE\s+(?:[\w.-]+:)?svg[\s>[]/.test(rest);
    const end = rest.indexOf(close, open.length);
    if (end < 0) return true;
    rest = rest.slice(end + close.length).trimStart();
    if (rest === '') return true;
  }
}

function prologuePart(text: string): [open: string, close: string] | [open: undefined, close: ''] {
  if (text.startsWith('<!--')) return ['<!--', '-->'];
  if (text.startsWith('<?')) return ['<?', '?>'];
  if (text.startsWith('<!DOCTYPE')) return ['<!DOCTYPE', '>'];
  return [undefined, ''];
}
