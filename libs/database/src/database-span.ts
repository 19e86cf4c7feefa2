/** One span a transaction or read: what it says, and of which rows, stays in the database's own log. */
export const DATABASE_SPAN = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;
