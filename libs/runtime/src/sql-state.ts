/** PostgreSQL's five-character error code, where `error` carries one. */
export function sqlState(error: unknown): string | undefined {
  const code =
    (error as { driverError?: { code?: unknown }; code?: unknown } | null)?.driverError?.code ??
    (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
