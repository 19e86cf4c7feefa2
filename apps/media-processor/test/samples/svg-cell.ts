export const CELL_EDGE = 100;
export const RED = '<rect width="100" height="100" fill="#f00"/>';
export const BLUE = '<rect width="100" height="100" fill="#00f"/>';
/** A drawing that every mistake changes: edges, curves, two colours, transparency. */
export const MARK =
  '<path d="M10 10H60V40C90 40 90 90 60 90L10 70Z" fill="#08c"/><circle cx="70" cy="30" r="20" fill="#f80"/>';

const svg = (content: string, attributes = `width="${CELL_EDGE}" height="${CELL_EDGE}"`): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

/** One way to draw, with a name. */
export interface SvgCell {
  readonly name: string;
  readonly svg: string;
}

export const cell = (name: string, content: string, attributes?: string): SvgCell => ({
  name,
  svg: svg(content, attributes),
});

export type Values = readonly string[];

export const ways = (names: readonly [string, Values, (value: string) => string][]): SvgCell[] =>
  names.flatMap(([name, values, content]) =>
    values.map((value) => cell(`${name} = ${value || '(empty)'}`, content(value.replaceAll('"', '&quot;')))),
  );

/** Every value of one property: as attribute, in `style`, in a sheet, and inherited. */
export const places = (
  property: string,
  values: Values,
  content: (attributes: string) => string,
): SvgCell[] =>
  ways([
    [`attribute ${property}`, values, (value) => content(`${property}="${value}"`)],
    [`style ${property}`, values, (value) => content(`style="${property}:${value}"`)],
    [
      `sheet ${property}`,
      values.filter((value) => !value.includes('"')),
      (value) => `<style>.a{${property}:${value}}</style>${content('class="a"')}`,
    ],
    [`inherited ${property}`, values, (value) => `<g ${property}="${value}">${content('')}</g>`],
  ]);

export const square = (attributes: string): string =>
  `${BLUE}<rect x="20" y="20" width="60" height="60" ${attributes}/>`;
export const line = (attributes: string): string =>
  `<path d="M20 20L80 30L30 80" fill="none" stroke="#08c" stroke-width="12" ${attributes}/>`;

export const GRADIENT =
  '<linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>';
