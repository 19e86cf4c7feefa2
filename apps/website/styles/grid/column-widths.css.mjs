// How many columns of columns.css fit into a container, and how many of their rows a caption needs; all lengths in rem.

/** The width from which there are so many columns, and the gap between them. */
const COLUMNS = [
  [0, 1, 0.75],
  [20, 2, 0.75],
  [34, 3, 1],
  [67, 4, 1],
  [84, 5, 1],
  [101, 6, 1],
  [118, 7, 1],
  [135, 8, 1],
];
/** Height of a caption and the gap under it. */
const CAPTION = 4.4;
/** A row is this part of a column's width. */
const ROW = 1 / 20;
const MOST_ROWS = 12;

const rule = (width, properties) =>
  width === 0 ? `.grid {${properties}}` : `@container (min-width: ${width}rem) { .grid {${properties}} }`;

export default COLUMNS.flatMap(([from, columns, gap], at) => {
  const next = COLUMNS[at + 1]?.[0] ?? Infinity;
  const rowsAt = (width) => Math.ceil((CAPTION * columns) / (width - (columns - 1) * gap) / ROW);
  const begin = Math.min(MOST_ROWS, rowsAt(from));
  const rules = [rule(from, `--columns: ${columns}; --gap: ${gap}rem; --below: ${begin}`)];
  for (let rows = begin - 1; rows > 2; rows--) {
    // Rounded up, so that the caption fits also at the very width.
    const width = Math.ceil(((CAPTION * columns) / rows / ROW + (columns - 1) * gap) * 10) / 10;
    if (width > from && width < next) rules.push(rule(width, `--below: ${rows}`));
  }
  return rules;
}).join('\n');
