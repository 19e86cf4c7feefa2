import { sizesTable } from './table';

/** npm run sizes. Prints the table of docs/guides/scaling.md, which is computed from the other benchmarks. */
process.stdout.write(`${sizesTable()}\n`);
