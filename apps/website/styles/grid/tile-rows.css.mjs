// The classes r9 to r36: the rows of a tile's picture (columns.css).
export default Array.from({ length: 28 }, (_, at) => `.r${at + 9}{--rows:${at + 9}}`).join('\n');
