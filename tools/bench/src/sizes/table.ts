import { ceilingsOf, type Load, sizeOf } from './model';

/** The sites of the table. `10 × L` has ten times the load of L. */
export const LOADS: readonly Load[] = [
  { name: 'S', reads: 50, uploads: 0.2, writes: 2 },
  { name: 'M', reads: 500, uploads: 1, writes: 20 },
  { name: 'L', reads: 8_000, uploads: 25, writes: 300 },
  { name: '10 × L', reads: 80_000, uploads: 250, writes: 3_000 },
];

const number = (value: number): string =>
  value >= 10 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));

/** The sizes, and what ends first, as Markdown. */
export function sizesTable(): string {
  const rows = LOADS.map((load) => {
    const { pods, database, connections, terabytes } = sizeOf(load);
    const { cores, gigabytes, replicas } = database;
    return [
      `${load.name}: ${number(load.reads)}, ${number(load.uploads * 60)}, ${number(load.writes)}`,
      Object.values(pods).map(number).join(' / '),
      `${cores} cores, ${gigabytes} GB${replicas > 0 ? `, ${replicas} × replica` : ''}`,
      number(connections),
      `${number(terabytes)} TB`,
    ];
  });
  const largest = LOADS.find(({ name }) => name === 'L')!;
  const ceilings = ceilingsOf(largest)
    .slice(0, 3)
    .map(({ what, multiple }, at) => `${at + 1}. ${what}: at ${number(multiple)} times L`);
  return [
    ...table(
      [
        'Reads a second, uploads a minute, writes a second',
        'api-gateway / upload-service / media-processor / moderation-service / website',
        'PostgreSQL',
        'Connections',
        'Storage a month',
      ],
      rows,
    ),
    '',
    'What ends first, however many pods there are:',
    '',
    ...ceilings,
  ].join('\n');
}

/** A table as Prettier writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)];
}
