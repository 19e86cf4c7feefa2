import { InvalidFieldsError } from '../../base/errors/domain-error';

/** Throws `InvalidFieldsError` for each of `media_ids` for which `isBad` returns true. */
export function assertNoItem(
  mediaIds: readonly number[],
  isBad: (id: number, place: number) => boolean,
  sentence: (item: string) => string,
): void {
  const bad = mediaIds.flatMap((id, place) => (isBad(id, place) ? [`media_ids.${place}`] : []));
  if (bad.length === 0) return;
  throw new InvalidFieldsError(Object.fromEntries(bad.map((item) => [item, [sentence(item)]])));
}
