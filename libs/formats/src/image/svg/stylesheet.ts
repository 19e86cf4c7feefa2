import { compile, type Options } from 'css-select';
import { generate, parse, walk, type Block, type CssNode, type Selector } from 'css-tree';
import { elementsIn, type SvgElement } from './tree';

export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
  /** Whether it stands in a `style` attribute, where lengths need no unit. */
  readonly isInline: boolean;
}

export interface StyleRule {
  readonly matches: (element: SvgElement) => boolean;
  /** Specificity of the selector: a base-1000 number of its ids, classes and types. */
  readonly specificity: number;
  readonly order: number;
  readonly declarations: readonly Declaration[];
}

/** The rules of a document's style sheets, found by what the last part of their selectors names. */
export class StyleSheets {
  /** Declarations of the last key frame of each animation. */
  readonly lastFrames = new Map<string, readonly Declaration[]>();
  private readonly rules = new Map<string, StyleRule[]>();
  private count = 0;

  /** Adds the rules of a style sheet that hold on every screen. Sheets that can't be parsed are read up to the error. */
  add(css: string): void {
    const sheet = parse(css, {
      parseValue: false,
      parseCustomProperty: false,
      onParseError: () => undefined,
    });
    if (sheet.type === 'StyleSheet') this.addAll(sheet.children.toArray());
  }

  /** Every rule whose selector matches the element. */
  matching(element: SvgElement): StyleRule[] {
    const classes = (element.attributes.get('class') ?? '').split(/\s+/).map((name) => `.${name}`);
    const keys = new Set(['*', element.name, `#${element.attributes.get('id')}`, ...classes]);
    return [...keys].flatMap((key) => (this.rules.get(key) ?? []).filter((rule) => rule.matches(element)));
  }

  private addAll(nodes: readonly CssNode[]): void {
    for (const node of nodes) {
      if (node.type === 'Rule' && node.prelude.type === 'SelectorList') {
        const declarations = declarationsOf(node.block);
        for (const selector of node.prelude.children) this.addRule(selector, declarations);
      }
      if (node.type !== 'Atrule' || !node.block) continue;
      const name = node.name.toLowerCase();
      const prelude = node.prelude ? generate(node.prelude).toLowerCase() : '';
      const holds = name === 'layer' || (name === 'supports' && !prelude.includes('not'));
      if (holds || (name === 'media' && isForEveryScreen(prelude)))
        this.addAll(node.block.children.toArray());
      if (/^(-webkit-)?keyframes$/.test(name) && node.prelude)
        this.addFrames(generate(node.prelude), node.block);
    }
  }

  private addRule(selector: CssNode, declarations: readonly Declaration[]): void {
    if (selector.type !== 'Selector' || declarations.length === 0) return;
    const matches = compiled(generate(selector));
    if (!matches) return;
    const rule = { matches, specificity: specificityOf(selector), order: this.count++, declarations };
    const key = keyOf(selector);
    const rules = this.rules.get(key);
    if (rules) rules.push(rule);
    else this.rules.set(key, [rule]);
  }

  private addFrames(name: string, block: Block): void {
    const last: Declaration[] = [];
    for (const frame of block.children) {
      if (frame.type === 'Rule' && /(?:^|,)\s*(?:to|100%)\s*(?:,|$)/.test(generate(frame.prelude)))
        last.push(...declarationsOf(frame.block));
    }
    this.lastFrames.set(name.replace(/^["']|["']$/g, ''), last);
  }
}

/** The declarations of a `style` attribute. */
export function parseDeclarations(style: string): Declaration[] {
  const list = parse(style, {
    context: 'declarationList',
    parseValue: false,
    parseCustomProperty: false,
    onParseError: () => undefined,
  });
  return list.type === 'DeclarationList' ? declarationsOf(list, true) : [];
}

function declarationsOf({ children }: Pick<Block, 'children'>, isInline = false): Declaration[] {
  return children.toArray().flatMap((node) => {
    if (node.type !== 'Declaration') return [];
    const property = node.property.startsWith('--') ? node.property : node.property.toLowerCase();
    return [
      {
        property,
        value: withoutComments(generate(node.value)).trim(),
        important: node.important !== false,
        isInline,
      },
    ];
  });
}

function withoutComments(text: string): string {
  const start = text.indexOf('/*');
  if (start < 0) return text;
  const end = text.indexOf('*/', start + 2);
  return `${text.slice(0, start)} ${end < 0 ? '' : withoutComments(text.slice(end + 2))}`;
}

/** Conditions on the viewer are taken as not met, except those that every screen meets. */
export const isForEveryScreen = (media: string): boolean =>
  /^(?:|all|screen|only screen)$/i.test(media.trim());

const ADAPTER: NonNullable<Options<SvgElement | string, SvgElement>['adapter']> = {
  isTag: (node): node is SvgElement => typeof node !== 'string',
  getAttributeValue: ({ attributes }, name) => attributes.get(name),
  hasAttrib: ({ attributes }, name) => attributes.has(name),
  getChildren: (node) => (typeof node === 'string' ? [] : node.children),
  getName: ({ name }) => name,
  getParent: (node) => (typeof node === 'string' ? null : node.parent),
  getSiblings: (node) => (typeof node === 'string' ? [] : (node.parent?.children ?? [node])),
  getText: (node) =>
    typeof node === 'string' ? node : node.children.filter((c) => typeof c === 'string').join(''),
  existsOne: (test, nodes) => nodes.some((node) => typeof node !== 'string' && someIn(node, test)),
  findAll: (test, nodes) => nodes.flatMap((node) => (typeof node === 'string' ? [] : allIn(node, test))),
  findOne: (test, nodes) =>
    nodes.flatMap((node) => (typeof node === 'string' ? [] : allIn(node, test)))[0] ?? null,
  removeSubsets: (nodes) => nodes,
};

const someIn = (element: SvgElement, test: (element: SvgElement) => boolean): boolean =>
  test(element) || elementsIn(element).some((child) => someIn(child, test));

const allIn = (element: SvgElement, test: (element: SvgElement) => boolean): SvgElement[] => [
  ...(test(element) ? [element] : []),
  ...elementsIn(element).flatMap((child) => allIn(child, test)),
];

/** Undefined for selectors that css-select doesn't know, such as pseudo-elements: their rules draw nothing. */
function compiled(selector: string): ((element: SvgElement) => boolean) | undefined {
  try {
    return compile<SvgElement | string, SvgElement>(selector, {
      xmlMode: true,
      adapter: ADAPTER,
      cacheResults: false,
    });
  } catch {
    return undefined;
  }
}

/** What every element that the selector matches has: an id, a class or a name; `*` if it may have none. */
function keyOf(selector: Selector): string {
  let key = '*';
  for (const node of selector.children) {
    if (node.type === 'Combinator') key = '*';
    else if (node.type === 'IdSelector') key = `#${node.name}`;
    else if (node.type === 'ClassSelector' && !key.startsWith('#')) key = `.${node.name}`;
    else if (node.type === 'TypeSelector' && key === '*' && /^[\w-]+$/.test(node.name)) key = node.name;
  }
  return /^[#.]?[-\w]+$/.test(key) ? key : '*';
}

/** Selectors 4, section 17; the arguments of `:is`, `:not` and `:has` count as their most specific one. */
function specificityOf(selector: Selector): number {
  let total = 0;
  for (const node of selector.children) {
    if (node.type === 'IdSelector') total += 1_000_000;
    else if (node.type === 'ClassSelector' || node.type === 'AttributeSelector') total += 1000;
    else if (node.type === 'TypeSelector' && node.name !== '*') total += 1;
    else if (node.type === 'PseudoClassSelector') total += specificityOfPseudoClass(node);
  }
  return total;
}

function specificityOfPseudoClass(node: CssNode & { type: 'PseudoClassSelector' }): number {
  if (node.name === 'where') return 0;
  if (!['is', 'not', 'has', 'matches'].includes(node.name)) return 1000;
  let most = 0;
  walk(node, {
    visit: 'Selector',
    enter: (argument) => void (most = Math.max(most, specificityOf(argument))),
  });
  return most;
}
