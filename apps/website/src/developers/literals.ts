/** Writes a JSON value as a literal of a programming language. */
export type WriteLiteral = (value: unknown, indent?: string) => string;

interface Spelling {
  readonly text: (text: string) => string;
  readonly key: (name: string) => string;
  readonly word: (value: true | false | null) => string;
  readonly step: string;
}

const WIDTH = 60;

/** Puts short values on one line, others on one line for each item. */
const writer = ({ text, key, word, step }: Spelling): WriteLiteral => {
  const write: WriteLiteral = (value, indent = '') => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'object' || value === null)
      return word(value === true ? true : value === false ? false : null);
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    const inner = indent + step;
    const items = Array.isArray(value)
      ? value.map((item: unknown) => write(item, inner))
      : Object.entries(value).map(([name, item]) => `${key(name)}: ${write(item, inner)}`);
    const space = Array.isArray(value) || step.length > 2 ? '' : ' ';
    const line = `${open}${space}${items.join(', ')}${space}${close}`;
    if (items.length === 0) return open + close;
    if (line.length <= WIDTH && !line.includes('\n')) return line;
    return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
  };
  return write;
};

const quoted = (text: string): string =>
  `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')}'`;

export const inJavaScript = writer({
  text: quoted,
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  word: String,
  step: '  ',
});

/** A JSON string is also a valid Python string. */
export const inPython = writer({
  text: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  word: (value) => ({ true: 'True', false: 'False', null: 'None' })[`${value}`],
  step: '    ',
});

/** Quotes a text as one word for a POSIX shell. */
export const inShell = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
