const format = new Intl.NumberFormat('en');

/** `1 view`, `1,204 views`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${format.format(count)} ${count === 1 ? one : many}`;
