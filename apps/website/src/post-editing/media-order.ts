/** Moves one slug of a list by one place; unchanged if there is no such place. `move`: `<slug> up` or `<slug> down`. */
export function movedBy(order: readonly string[], move: string): readonly string[] {
  const [slug = '', direction] = move.split(' ');
  const from = order.indexOf(slug);
  const to = from + (direction === 'up' ? -1 : 1);
  const other = order[to];
  if (from === -1 || other === undefined) return order;
  return order.map((one, index) => (index === to ? slug : index === from ? other : one));
}

/** Parses slugs that are separated by commas. */
export const readOrder = (text: string): readonly string[] => text.split(',').filter((slug) => slug !== '');
