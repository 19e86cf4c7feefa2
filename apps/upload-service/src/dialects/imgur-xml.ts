/** Writes answers as XML. Vitrine reads no XML, so entities of requests can't do harm. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that no XML document may contain, even escaped (XML 1.0, 2.2). */
// eslint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escaped = (text: string): string =>
  text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

function element(name: string, value: unknown): string {
  if (value === null || value === undefined) return `<${name}/>`;
  if (Array.isArray(value))
    return `<${name}>${value.map((item) => element('item', item)).join('')}</${name}>`;
  if (typeof value === 'object') return `<${name}>${elements(value)}</${name}>`;
  return `<${name}>${escaped(String(value))}</${name}>`;
}

const elements = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => element(name, value))
    .join('');

const document = (inner: string, success: boolean, status: number): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<data success="${Number(success)}" status="${status}">${inner}</data>\n`;

/** A successful answer: each field of `data` is an element, or `data` is the content itself. */
export const imgurXml = (data: unknown, status: number): string =>
  document(typeof data === 'object' && data !== null ? elements(data) : escaped(String(data)), true, status);

export const imgurErrorXml = (message: string, status: number): string =>
  document(element('error', message), false, status);
