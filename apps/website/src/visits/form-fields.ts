import type { Visit } from './visit';

/** Text that a form's field holds, as typed; empty where the form has no such field. Of several the last counts. */
export function fieldText(visit: Visit, name: string): string {
  return fieldTexts(visit, name).at(-1) ?? '';
}

/** Every text that came under a field's name: the boxes that are ticked, say. */
export function fieldTexts(visit: Visit, name: string): readonly string[] {
  const fields = (visit.request.body ?? {}) as Readonly<Record<string, unknown>>;
  const value: unknown = Object.hasOwn(fields, name) ? fields[name] : [];
  return [value].flat().filter((text) => typeof text === 'string');
}

/** Text of several lines: forms send a line break as two characters (HTML, 4.10.21.6), people count one. */
export const fieldLines = (visit: Visit, name: string): string =>
  fieldText(visit, name).replace(/\r\n?/g, '\n');
