/** Whether arrays and objects are nested more than `depth` levels; looks no further than that. */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(depth - 1, item));
}
