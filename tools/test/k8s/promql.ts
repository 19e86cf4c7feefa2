import { parser } from '@prometheus-io/lezer-promql';
import type { CodeMetric } from './metrics-in-code';

type Tree = ReturnType<typeof parser.parse>;
type SyntaxNode = Tree['topNode'];

/** What queries may refer to. */
export interface KnownSeries {
  readonly metrics: readonly CodeMetric[];
  /** Metrics recorded by our own rules, with the labels that they keep. */
  readonly recorded: ReadonlyMap<string, readonly string[]>;
  /** Metrics of other programs, which are not checked further. */
  readonly foreign: readonly string[];
  /** The source code in which values of labels appear. */
  readonly sources: readonly string[];
}

/** Labels that Prometheus adds to every series that it scrapes. */
const OF_THE_TARGET = ['job', 'instance', 'namespace', 'pod', 'container', 'service', 'endpoint', 'node'];

/** The faults of a query: wrong syntax, an unknown metric, or a label or value that the metric doesn't have. */
export function findQueryProblems(query: string, known: KnownSeries): string[] {
  const tree = parser.parse(query);
  const problems = syntaxErrors(tree, query);
  if (problems.length > 0) return problems;
  const labels = new Set(OF_THE_TARGET);
  let foreign = false;
  for (const selector of nodes(tree, 'VectorSelector')) {
    const identifier = selector.getChild('Identifier');
    const name = identifier ? textOf(identifier, query) : '';
    const own = labelsOf(name, known);
    if (own === undefined) {
      if (known.foreign.includes(name)) foreign = true;
      else problems.push(`no code creates ${name || 'a series without a name'}`);
      continue;
    }
    for (const label of own) labels.add(label);
    for (const matcher of nodes(selector, 'UnquotedLabelMatcher')) {
      problems.push(...matcherProblems(matcher, query, name, own, known));
    }
  }
  // The labels of other programs' metrics are unknown.
  if (foreign) return problems;
  for (const grouping of nodes(tree, 'GroupingLabels')) {
    for (const label of grouping.getChildren('LabelName').map((node) => textOf(node, query))) {
      if (!labels.has(label)) problems.push(`no metric in it has the label ${label}`);
    }
  }
  return problems;
}

/** The selectors of a query that don't begin with a condition for this namespace. */
export function selectorsBeyond(namespace: string, query: string): string[] {
  return nodes(parser.parse(query), 'VectorSelector')
    .map((selector) => textOf(selector, query))
    .filter((selector) => !selector.includes(`{namespace="${namespace}"`));
}

/** Labels by which a query groups; its recording keeps these. */
export function groupingOf(query: string): string[] {
  const [grouping] = nodes(parser.parse(query), 'GroupingLabels');
  return grouping?.getChildren('LabelName').map((node) => textOf(node, query)) ?? [];
}

/** The labels of one of our metrics; undefined if no code creates it. */
function labelsOf(name: string, { metrics, recorded }: KnownSeries): readonly string[] | undefined {
  const rule = recorded.get(name);
  if (rule) return rule;
  const plain = metrics.find((metric) => metric.name === name && !metric.isHistogram);
  if (plain) return plain.labels;
  const [, base, part] = /^(.*)_(bucket|sum|count)$/.exec(name) ?? [];
  const histogram = metrics.find((metric) => metric.name === base && metric.isHistogram);
  return histogram && [...histogram.labels, ...(part === 'bucket' ? ['le'] : [])];
}

function matcherProblems(
  matcher: SyntaxNode,
  query: string,
  metric: string,
  labels: readonly string[],
  { sources }: KnownSeries,
): string[] {
  const [label = '', , value = ''] =
    /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(textOf(matcher, query))?.slice(1) ?? [];
  if (!labels.includes(label) && !OF_THE_TARGET.includes(label)) return [`${metric} has no label ${label}`];
  const words = /^[a-z][a-z|]*$/.test(value) && labels.includes(label) ? value.split('|') : [];
  return words
    .filter((word) => !sources.some((source) => source.includes(`'${word}'`)))
    .map((word) => `${label} is never ${word}`);
}

function syntaxErrors(tree: Tree, query: string): string[] {
  const found: string[] = [];
  tree.iterate({
    enter: ({ type, from }) => {
      if (type.isError) found.push(`can't be read at: ${query.slice(from, from + 20)}`);
    },
  });
  return found;
}

/** The nodes with a name in a tree, or below one node of it. */
function nodes(within: Tree | SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const cursor = within.cursor();
  const end = cursor.to;
  do {
    if (cursor.name === name) found.push(cursor.node);
  } while (cursor.next() && cursor.from < end);
  return found;
}

const textOf = (node: SyntaxNode, query: string): string => query.slice(node.from, node.to);
