import { parser } from '@prometheus-io/lezer-promql';

/** A query whose selectors find only series of one namespace; a condition for `namespace` is replaced. */
export function selectNamespace(query: string, namespace: string): string {
  const edits: { from: number; to: number; text: string }[] = [];
  parser.parse(query).iterate({
    enter: ({ type, node }) => {
      if (type.name !== 'VectorSelector') return;
      const name = node.getChild('Identifier');
      const matchers = node.getChild('LabelMatchers');
      const conditions = matchers
        ? query.slice(matchers.from + 1, matchers.to - 1).replace(/^\s*namespace\s*=\s*"[^"]*"\s*,?\s*/, '')
        : '';
      edits.push({
        from: name?.to ?? node.from,
        to: node.to,
        text: `{${[`namespace="${namespace}"`, conditions].filter(Boolean).join(',')}}`,
      });
    },
  });
  return edits.reduceRight(
    (text, { from, to, text: inserted }) => text.slice(0, from) + inserted + text.slice(to),
    query,
  );
}
