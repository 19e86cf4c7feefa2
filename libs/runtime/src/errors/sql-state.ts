/** Returns the code of an error: PostgreSQL's five characters, or a code of Node's; undefined if it has none. */
export function sqlState(error: unknown): string | undefined {
  const code =
    (error as { driverError?: { code?: unknown }; code?: unknown } | null)?.driverError?.code ??
    (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
