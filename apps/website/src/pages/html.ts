const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of markup, told apart from text that is yet to be escaped. */
export class Html {
  constructor(readonly markup: string) {}
}

/** Template tag: every value that isn't `Html` itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const filled = values.map((value, index) => `${render(value)}${parts[index + 1]}`);
  return new Html(`${parts[0]}${filled.join('')}`);
}

const render = (value: string | Html): string =>
  value instanceof Html ? value.markup : value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
