/** Moves one of a list by one place; as it was where there is no such place. `move`: `<slug> up` or `<slug> down`. */
export function movedBy(order: readonly string[], move: string): readonly string[] {
  const [slug = '', direction] = move.split(' ');
  const from = order.indexOf(slug);
  const to = from + (direction === 'up' ? -1 : 1);
  const other = order[to];
  if (from === -1 || other === undefined) return order;
  return order.map((one, index) => (index === to ? slug : index === from ? other : one));
}

/** Slugs with commas between them, as forms carry them. */
export const readOrder = (text: string): readonly string[] => text.split(',').filter((slug) => slug !== '');
